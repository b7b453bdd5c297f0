internal import ListReading

/// The state of looking for new rows above a list, and the rows that were found.
struct TopProbe: Hashable {
  enum State: Hashable {
    case resting
    /// A load that replaces all rows runs, and may make the probe unnecessary.
    case waiting
    /// The request with this number is in flight.
    case running(Int)
  }

  private(set) var state = State.resting
  /// The new rows of the last probe that are still not in the list.
  private(set) var found: [RowID] = []
  /// Whether there may be more of them.
  private var isAtLeast = false
  private var requests = 0

  /// Whether there is something to follow.
  var isActive: Bool { state != .resting || !found.isEmpty }

  var newRows: NewRows? {
    found.isEmpty ? nil : NewRows(count: found.count, isAtLeast: isAtLeast)
  }

  /// Starts a request, and returns its number.
  mutating func begin() -> Int {
    requests += 1
    state = .running(requests)
    return requests
  }

  /// Waits for a load that replaces all rows. A response to the request in flight changes nothing any more.
  mutating func wait() { state = .waiting }

  /// Ends the probe, or the wait for one.
  mutating func end() { state = .resting }

  /// Ends the probe with this request; returns `false` if it is not in flight any more.
  mutating func end(_ number: Int) -> Bool {
    guard state == .running(number) else { return false }
    state = .resting
    return true
  }

  /// Keeps what a probe found.
  mutating func find(_ rows: [RowID], isAtLeast: Bool) { (found, self.isAtLeast) = (rows, isAtLeast) }

  /// Ends the probe, and forgets what the last one found: the list has been loaded from its start, or was reset.
  mutating func forgetAll() { (state, found) = (.resting, []) }

  /// Forgets rows that have joined the list.
  mutating func forget(where isKnown: (RowID) -> Bool) { found.removeAll(where: isKnown) }
}

/// Decides which rows of the first page of the server are new above the rows of a list.
///
/// The rows that both have in one order are the longest run of known rows whose positions rise. The first of them is the
/// border: new rows above it are above the list. Known rows in another order have moved, and are not new. Where the page
/// and the list have no row in common, all rows of the page are new, and more may follow.
///
/// If the list has rows above the border that the page lacks, they are gone, or the row at the border has moved up and
/// new rows below it are above the list, too. As many rows in order after the border say that they are gone.
struct RowsAbove: Hashable {
  /// The indices of the new rows in the page.
  let new: [Int]
  /// Whether there may be more of them.
  let isAtLeast: Bool

  /// Compares a page with the list.
  ///
  /// - Parameters:
  ///   - places: The positions of its rows in the list; `nil` for new rows.
  ///   - isAll: Whether the page has all rows of the server.
  init(places: [Int?], isAll: Bool) {
    let known = places.enumerated().compactMap { at, place in place.map { (at: at, place: $0) } }
    let ordered = known.map(\.place).longestIncrease().map { known[$0] }
    guard let border = ordered.first else {
      (new, isAtLeast) = (Array(places.indices), !isAll)
      return
    }
    new = places.indices.prefix(border.at).filter { places[$0] == nil }
    let missing = border.place - known.count { $0.place < border.place }
    isAtLeast = !isAll && missing >= ordered.count
  }
}
