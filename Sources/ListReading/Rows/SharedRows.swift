/// What the rows of a page share with those that were read before.
package struct SharedRows: Hashable, Sendable {
  /// The number of rows that were read before.
  package var known = 0
  /// How many rows were read after the latest of these; `nil` if that is unknown.
  package var distance: Int?
  /// Whether these rows are in the order in which they were read.
  var isOrdered = true
  /// Whether a new row comes before one that was read before.
  var hasNewBeforeKnown = false
  /// Whether the last row was read before.
  package var endsKnown = false
  /// Whether an id is there twice.
  package var repeatsID = false

  package init(
    known: Int = 0, distance: Int? = nil, isOrdered: Bool = true,
    hasNewBeforeKnown: Bool = false, endsKnown: Bool = false, repeatsID: Bool = false
  ) {
    (self.known, self.distance, self.isOrdered) = (known, distance, isOrdered)
    (self.hasNewBeforeKnown, self.endsKnown) = (hasNewBeforeKnown, endsKnown)
    self.repeatsID = repeatsID
  }
}

/// Compares the rows of a page with those read before, one after the other.
package struct SharedRowsCounter {
  /// The number of rows before the page.
  let rowsBefore: Int
  var lacksID = false
  private var latest = -1
  private var result = SharedRows()
  private var hasNew = false

  package init(rowsBefore: Int) { self.rowsBefore = rowsBefore }

  /// Adds a row that was read before, with its number in the order of reading; ``KnownRows/unordered`` if that says
  /// nothing of where it is now.
  package mutating func add(_ number: Int) {
    if number >= rowsBefore {
      result.repeatsID = true
      return
    }
    result.known += 1
    result.endsKnown = true
    if hasNew { result.hasNewBeforeKnown = true }
    guard number != KnownRows.unordered else { return }
    if number < latest { result.isOrdered = false }
    latest = max(latest, number)
  }

  package mutating func addNew() {
    hasNew = true
    result.endsKnown = false
  }

  /// Whether the page goes on in the order of reading: it begins with the last rows, and new ones follow them.
  var continuesOrder: Bool {
    result.isOrdered && !result.hasNewBeforeKnown && !result.repeatsID && latest == rowsBefore - 1
  }

  /// What the page shares with the rows before it; `nil` if a row has no id.
  package var rows: SharedRows? {
    guard !lacksID else { return nil }
    var rows = result
    rows.distance = latest < 0 ? nil : rowsBefore - 1 - latest
    return rows
  }
}
