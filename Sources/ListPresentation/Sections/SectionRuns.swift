internal import ListModel

/// Divides the rows of a list into sections: a new one begins where the label of an item is another than
/// that of the item above. A plain value that is carried on when the list gets rows behind its last one.
///
/// Nobody can tell what a row is that is not in memory: it stays in the section it was in.
struct SectionRuns<Item> {
  private struct Run {
    var label: SectionLabel?
    var id: RowID
    /// Where it begins and ends, among the rows that are shown.
    var start: Int
    var end: Int
  }

  private var runs: [Run] = []
  private var times: [RowID: Int] = [:]
  /// The rows that are shown; absent where all are.
  private var picked: [Int]?
  private var count = 0
  /// What was known of rows before the list changed.
  private var past: SectionPast?

  /// Makes ready for what the list has become.
  mutating func follow(_ change: ListChange, to list: ListSnapshot<Item>, isFiltered: Bool) {
    let isStaying = change.removed.isEmpty && change.moved.isEmpty
    if isStaying, change.updated.isEmpty, change.inserted == [count..<max(count, list.count)] {
      return
    }
    // Rows that are given up are where they were, unless a filter left them out.
    if isStaying, change.inserted.isEmpty, !isFiltered,
      change.updated.joined().allSatisfy({ list.row(at: $0)?.item == nil })
    {
      return
    }
    let past = change.origins(of: count).map { origins in
      SectionPast(
        starts: runs.map(\.start), labels: runs.map(\.label), picked: picked, origins: origins)
    }
    self = SectionRuns()
    self.past = past
  }

  /// Takes in what is behind the rows so far.
  mutating func extend(
    to list: ListSnapshot<Item>, filter: ((Item) -> Bool)?, label: ((Item) -> SectionLabel)?
  ) {
    defer {
      count = list.count
      past = nil
    }
    guard filter != nil || label != nil else {
      runs = [Run(id: 0, start: 0, end: list.count)]
      return
    }
    if filter != nil, picked == nil { picked = [] }
    for position in count..<max(count, list.count) {
      let item = list.row(at: position)?.item
      if let item, filter?(item) == false { continue }
      picked?.append(position)
      guard let label else { continue }
      let name = item.map(label) ?? past?.label(at: position)
      add(picked.map { $0.count - 1 } ?? position, name)
    }
    if label == nil { runs = [Run(id: 0, start: 0, end: picked?.count ?? list.count)] }
  }

  private mutating func add(_ number: Int, _ label: SectionLabel?) {
    guard let last = runs.indices.last else {
      let id = label.map { name($0) } ?? 0
      return runs.append(Run(label: label, id: id, start: number, end: number + 1))
    }
    if let label, runs[last].label == nil {
      // What is not in memory above the first item is of its section.
      runs[last].label = label
      runs[last].id = name(label)
    }
    if let label, runs[last].label?.id != label.id {
      runs.append(Run(label: label, id: name(label), start: number, end: number + 1))
    } else {
      runs[last].end = number + 1
    }
  }

  private mutating func name(_ label: SectionLabel) -> RowID {
    let time = times[label.id, default: 0]
    times[label.id] = time + 1
    return time == 0 ? label.id : RowID(RepeatedSection(id: label.id, time: time))
  }

  /// The sections of the list that was taken in.
  func sections(of list: ListSnapshot<Item>) -> ListSections<Item> {
    ListSections(
      runs.map { run in
        let rows =
          picked.map { SectionRows(list, at: Array($0[run.start..<run.end])) }
          ?? SectionRows(list, run.start..<run.end)
        return ListSection(
          run.id, header: run.label?.header, footer: run.label?.footer, rows: rows)
      })
  }
}

/// The sections that the rows of a list were in before it changed.
private struct SectionPast {
  /// Where each section began, among the rows that were shown.
  let starts: [Int]
  let labels: [SectionLabel?]
  /// The rows that were shown; absent where all were.
  let picked: [Int]?
  /// Where each row was, -1 for new ones.
  let origins: [Int]

  /// The section of a row that is at a position now.
  func label(at position: Int) -> SectionLabel? {
    guard origins.indices.contains(position), origins[position] >= 0 else { return nil }
    var number = origins[position]
    if let picked {
      let place = picked.place(of: number)
      guard place < picked.count, picked[place] == number else { return nil }
      number = place
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
