internal import ListModel

/// Divides the rows of a plan into sections: a new one begins where the label of an item is another than
/// that of the item above. A plain value that is carried on when the list gets rows behind its last one.
///
/// Nobody can tell what a row is that is not in memory: it stays in the section it was in.
struct SectionRuns<Item, Row> {
  private struct Run {
    var label: SectionLabel?
    var id: RowID
    /// Where it begins and ends, among the rows without header and footer.
    var start: Int
    var end: Int
  }

  private var runs: [Run] = []
  private var times: [RowID: Int] = [:]
  /// How many rows of the list are divided.
  private var count = 0
  /// What was known of rows before the list changed.
  private var past: SectionPast<Row>?

  /// Makes ready for what the list has become.
  ///
  /// - Parameter entries: What became of each row of the list before; `nil` where that was the row.
  mutating func follow(
    _ change: ListChange, to list: ListSnapshot<Item>, from entries: RowEntries<Row>?
  ) {
    if change.isEmpty, list.count == count { return }
    let isStaying = change.removed.isEmpty && change.moved.isEmpty
    if isStaying, change.updated.isEmpty, change.inserted == [count..<max(count, list.count)] {
      return
    }
    // Rows that are given up are where they were, unless a plan left them out.
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

  /// Takes in what is behind the rows so far.
  ///
  /// - Parameter entries: What became of each row of the list; `nil` where that is the row.
  mutating func extend(
    to list: ListSnapshot<Item>, _ entries: RowEntries<Row>?, label: ((Item) -> SectionLabel)?
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
    }
  }

  private mutating func add(_ rows: Range<Int>, _ label: SectionLabel?) {
    guard let last = runs.indices.last else {
      let id = label.map { name($0) } ?? 0
      return runs.append(Run(label: label, id: id, start: rows.lowerBound, end: rows.upperBound))
    }
    if let label, runs[last].label == nil {
      // What is not in memory above the first item is of its section.
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

  /// The sections of all rows, of which so many stand above those of the list.
  func sections(of all: SectionRows<Row>.Source, offset: Int) -> ListSections<Row> {
    guard !runs.isEmpty else {
      // Header and footer may stand without any row of the list.
      return all.count == 0
        ? ListSections() : ListSections([ListSection(rows: SectionRows(all, 0..<all.count))])
    }
    let last = runs.count - 1
    return ListSections(
      runs.enumerated().map { number, run in
        let start = number == 0 ? 0 : run.start + offset
        let end = number == last ? all.count : run.end + offset
        return ListSection(
          run.id, header: run.label?.header, footer: run.label?.footer,
          rows: SectionRows(all, start..<end))
      })
  }
}

/// Names the section of a label that came before: the order of the list goes before the wish to have all
/// rows of a label together.
private struct RepeatedSection: Hashable {
  var id: RowID
  var time: Int
}

/// The sections that the rows of a list were in before it changed.
private struct SectionPast<Row> {
  /// Where each section began.
  let starts: [Int]
  let labels: [SectionLabel?]
  /// What became of each row; absent where that was the row.
  let entries: RowEntries<Row>?
  /// Where each row was, -1 for new ones.
  let origins: [Int]

  /// The section of a row that is at a position now.
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
  /// How many elements of an array that rises are below one.
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
  /// Where each row was among so many before, -1 for new ones; `nil` when it is not a change of these.
  func origins(of count: Int) -> [Int]? {
    var moves = self
    moves.updated = []
    return moves.applied(to: Array(0..<count), new: { _ in -1 })
  }
}
