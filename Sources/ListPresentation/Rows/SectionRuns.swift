internal import ListModel
internal import ListReading

/// Divides the rows of a plan into sections: a new one starts where an item has another label than the item
/// above, or all rows with one label are merged. A plain value that continues when rows are appended to the list.
///
/// The label of a row that isn't in memory is unknown, so the row stays in its section.
struct SectionRuns<Item, Row> {
  private struct Run {
    var label: SectionLabel?
    var id: RowID
    /// The start and end, among the rows without header and footer.
    var start: Int
    var end: Int
  }

  private var runs: [Run] = []
  private var times: [RowID: Int] = [:]
  /// The merged sections, if equal labels are.
  private var groups = SectionGroups<Row>()
  /// The number of list rows that are divided.
  private var count = 0
  /// The sections before the list changed.
  private var past: SectionPast<Row>?

  /// Prepares for a change of the list.
  ///
  /// - Parameter entries: The rows made from each list row before; `nil` if they are the list rows.
  mutating func follow(
    _ change: ListChange, to list: ListSnapshot<Item>, from entries: RowEntries<Row>?
  ) {
    if change.isEmpty, list.count == count { return }
    let isStaying = change.removed.isEmpty && change.moved.isEmpty
    if isStaying, change.updated.isEmpty, change.inserted == [count..<max(count, list.count)] {
      return
    }
    // Evicted rows keep their positions, unless a plan left them out.
    if isStaying, change.inserted.isEmpty, entries == nil,
      change.updated.joined().allSatisfy({ list.row(at: $0)?.item == nil })
    {
      return
    }
    let past = change.origins(of: count).map { origins in
      SectionPast(
        starts: runs.map(\.start), labels: runs.map(\.label), entries: entries, origins: origins)
    }
    self = SectionRuns()
    self.past = past
  }

  /// Divides the rows after those divided so far.
  ///
  /// - Parameter entries: The rows made from each list row; `nil` if they are the list rows.
  mutating func extend(
    to list: ListSnapshot<Item>, _ entries: RowEntries<Row>?, label: ((Item) -> SectionLabel)?,
    merging isMerging: Bool
  ) {
    defer {
      count = list.count
      past = nil
    }
    guard let label else {
      runs = [Run(id: 0, start: 0, end: entries?.rowCount ?? list.count)]
      return
    }
    for position in count..<max(count, list.count) {
      var rows = position..<position + 1
      if let entry = entries.map({ $0[position] }) {
        guard entry.row != nil else { continue }
        rows = entry.start..<entry.start + entry.rowCount
      }
      let name = list.row(at: position)?.item.map(label) ?? past?.label(at: position)
      add(rows, name)
      if isMerging { groups.add(rows, runs.last?.label) }
    }
  }

  private mutating func add(_ rows: Range<Int>, _ label: SectionLabel?) {
    guard let last = runs.indices.last else {
      let id = label.map { name($0) } ?? 0
      return runs.append(Run(label: label, id: id, start: rows.lowerBound, end: rows.upperBound))
    }
    if let label, runs[last].label == nil {
      // Rows above the first item in memory belong to its section.
      runs[last].label = label
      runs[last].id = name(label)
    }
    if let label, runs[last].label?.id != label.id {
      runs.append(
        Run(label: label, id: name(label), start: rows.lowerBound, end: rows.upperBound))
    } else {
      runs[last].end = rows.upperBound
    }
  }

  private mutating func name(_ label: SectionLabel) -> RowID {
    let time = times[label.id, default: 0]
    times[label.id] = time + 1
    return time == 0 ? label.id : RowID(RepeatedSection(id: label.id, time: time))
  }

  /// Returns the sections of all rows, given the number of rows above those of the list.
  func sections(of all: ListSection<Row>.Rows.Source, offset: Int) -> ListSections<Row> {
    guard !runs.isEmpty else {
      // There may be a header or footer without any list row.
      return all.count == 0
        ? ListSections() : ListSections([ListSection(rows: ListSection.Rows(all, 0..<all.count))])
    }
    let last = runs.count - 1
    if let merged = groups.sections(of: all, offset: offset, count: runs[last].end) {
      return merged
    }
    return ListSections(
      runs.enumerated().map { number, run in
        let start = number == 0 ? 0 : run.start + offset
        let end = number == last ? all.count : run.end + offset
        return ListSection(run.id, label: run.label, rows: ListSection.Rows(all, start..<end))
      })
  }
}

/// The id of a section whose label was used before: the order of the list takes precedence over collecting
/// all rows of a label.
private struct RepeatedSection: Hashable {
  var id: RowID
  var time: Int
}

/// The sections of the rows before the list changed.
private struct SectionPast<Row> {
  /// The start of each section.
  let starts: [Int]
  let labels: [SectionLabel?]
  /// The rows made from each list row; `nil` if they are the list rows.
  let entries: RowEntries<Row>?
  /// The previous position of each row, -1 for new ones.
  let origins: [Int]

  /// Returns the section of a row by its current position.
  func label(at position: Int) -> SectionLabel? {
    guard origins.indices.contains(position), origins[position] >= 0 else { return nil }
    var number = origins[position]
    if let entries {
      guard let row = entries[number].rowNumber else { return nil }
      number = row
    }
    let run = starts.place(of: number + 1)
    return run > 0 ? labels[run - 1] : nil
  }
}

extension [Int] {
  /// Returns the number of elements below a value in a sorted array.
  fileprivate func place(of element: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ListChange {
  /// Returns the previous position of each row, -1 for new ones; `nil` if the change doesn't fit the count.
  func origins(of count: Int) -> [Int]? {
    var moves = self
    moves.updated = []
    return moves.applied(to: Array(0..<count), new: { _ in -1 })
  }
}

/// Collects all rows with one label in one section, in the place of its first row. A plain value.
struct SectionGroups<Row> {
  private struct Group {
    var label: SectionLabel?
    /// The rows, numbered among those without header and footer.
    var rows: [Int]
  }

  private var groups: [Group] = []
  private var places: [RowID: Int] = [:]

  /// Adds rows after all others. Without a label they belong to the first section, whose label is unknown so
  /// far.
  mutating func add(_ rows: Range<Int>, _ label: SectionLabel?) {
    if let label, places.isEmpty, !groups.isEmpty {
      groups[0].label = label
      places[label.id] = 0
    }
    if let place = label.map({ places[$0.id] }) ?? groups.indices.first {
      groups[place].rows += rows
    } else {
      if let label { places[label.id] = groups.count }
      groups.append(Group(label: label, rows: Array(rows)))
    }
  }

  /// Returns the sections of all rows; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - all: The rows, with header and footer.
  ///   - offset: The number of rows above those that were added.
  ///   - count: The number of rows that were added.
  func sections(
    of all: ListSection<Row>.Rows.Source, offset: Int, count: Int
  ) -> ListSections<Row>? {
    guard !groups.isEmpty else { return nil }
    let last = groups.count - 1
    return ListSections(
      groups.enumerated().map { number, group in
        var rows = offset == 0 ? group.rows : group.rows.map { $0 + offset }
        if number == 0, offset > 0 { rows.insert(contentsOf: 0..<offset, at: 0) }
        if number == last, offset + count < all.count { rows += offset + count..<all.count }
        return ListSection(
          group.label?.id ?? 0, label: group.label, rows: ListSection.Rows(all, at: rows))
      })
  }
}
