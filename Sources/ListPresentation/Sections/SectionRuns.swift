internal import ListModel

/// Divides the rows of a list into sections: a new one begins where the label of an item is another than
/// that of the item above. A plain value that is carried on when the list gets rows behind its last one.
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

  /// Takes in what is behind the rows so far.
  mutating func extend(
    to list: ListSnapshot<Item>, filter: ((Item) -> Bool)?, label: ((Item) -> SectionLabel)?
  ) {
    defer { count = list.count }
    guard filter != nil || label != nil else {
      runs = [Run(id: 0, start: 0, end: list.count)]
      return
    }
    if filter != nil, picked == nil { picked = [] }
    for position in count..<max(count, list.count) {
      let item = list.row(at: position)?.item
      // Nobody can tell what a row is that is not in memory, so it is shown.
      if let item, filter?(item) == false { continue }
      picked?.append(position)
      if let label { add(picked.map { $0.count - 1 } ?? position, item.map(label)) }
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
