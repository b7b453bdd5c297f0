public import Foundation

/// The changes that a table or collection view is told of inside `performBatchUpdates`.
struct BatchUpdate {
  var deletedSections = IndexSet()
  var insertedSections = IndexSet()
  var movedSections: [(from: Int, to: Int)] = []
  var deletedRows: [IndexPath] = []
  var insertedRows: [IndexPath] = []
  var movedRows: [(from: IndexPath, to: IndexPath)] = []
}

/// The rows as a view counts them. Each has a number of its own, so that cells stay with their rows.
struct CountedRows {
  struct Section {
    var number: Int
    var rows: [Int]
  }

  /// What the rows are called in messages.
  let noun: String
  private(set) var sections: [Section] = []
  private var last = 0

  init(noun: String) { self.noun = noun }

  var counts: [Int] { sections.map(\.rows.count) }

  func contains(_ path: IndexPath) -> Bool {
    sections.indices.contains(path.section)
      && sections[path.section].rows.indices.contains(path.item)
  }

  private mutating func numbers(_ count: Int) -> [Int] {
    defer { last += count }
    return Array(last..<last + count)
  }

  private mutating func section(_ count: Int) -> Section {
    Section(number: numbers(1)[0], rows: numbers(count))
  }

  /// Counts again, as after `reloadData`.
  mutating func reload(_ counts: [Int]) { sections = counts.map { section($0) } }

  /// Replaces the rows of a section, whose number must not have changed.
  mutating func reloadSection(_ index: Int, _ count: Int) {
    check(
      sections.indices.contains(index),
      "attempt to reload section \(index), but there are only \(sections.count) sections")
    check(sections[index].rows.count == count, invalid(index, index, count, 0, 0, 0, 0))
    sections[index] = section(count)
  }

  /// Moves a row by hand: the data source is told later.
  mutating func moveByHand(_ from: IndexPath, _ to: IndexPath) {
    let row = sections[from.section].rows.remove(at: from.item)
    sections[to.section].rows.insert(row, at: to.item)
  }

  /// Applies a batch; ends the program as UIKit does if the counts don't match those of the data source.
  mutating func apply(_ update: BatchUpdate, _ new: [Int]) {
    let (leaving, arriving) = checkSections(update, new)
    checkRows(update, new)
    let old = sections
    var origins = [Int?](repeating: nil, count: new.count)
    for move in update.movedSections { origins[move.to] = move.from }
    let stays = old.indices.filter { !leaving.contains($0) }
    for (from, to) in zip(stays, new.indices.filter { !arriving.contains($0) }) {
      origins[to] = from
    }
    sections = new.indices.map { index in
      guard let origin = origins[index] else { return section(new[index]) }
      return followed(old, origin, index, update, new[index])
    }
  }

  /// Returns a section that stays, with its rows after the update.
  private mutating func followed(
    _ old: [Section], _ from: Int, _ to: Int, _ update: BatchUpdate, _ count: Int
  ) -> Section {
    let deleted = update.deletedRows.filter { $0.section == from }
    let inserted = update.insertedRows.filter { $0.section == to }
    let out = update.movedRows.filter { $0.from.section == from }
    let into = update.movedRows.filter { $0.to.section == to }
    check(
      old[from].rows.count - deleted.count + inserted.count - out.count + into.count == count,
      invalid(from, to, count, inserted.count, deleted.count, into.count, out.count))
    var rows = [Int?](repeating: nil, count: count)
    for path in inserted { rows[path.item] = numbers(1)[0] }
    for move in into { rows[move.to.item] = old[move.from.section].rows[move.from.item] }
    let leaving = Set(deleted.map(\.item) + out.map(\.from.item))
    var stays = old[from].rows.indices.filter { !leaving.contains($0) }.makeIterator()
    return Section(
      number: old[from].number,
      rows: rows.map { $0 ?? old[from].rows[stays.next() ?? 0] })
  }

  private func checkSections(_ update: BatchUpdate, _ new: [Int]) -> (Set<Int>, Set<Int>) {
    let (deleted, inserted) = (update.deletedSections, update.insertedSections)
    check(
      new.count == sections.count - deleted.count + inserted.count,
      "invalid number of sections. The number of sections contained in the \(noun == "row" ? "table" : "collection") view after the update (\(new.count)) must be equal to the number of sections contained in the view before the update (\(sections.count)), plus or minus the number of sections inserted or deleted (\(inserted.count) inserted, \(deleted.count) deleted)"
    )
    let leaving = Array(deleted) + update.movedSections.map(\.from)
    let arriving = Array(inserted) + update.movedSections.map(\.to)
    for index in leaving {
      check(
        sections.indices.contains(index),
        "attempt to delete or move section \(index), but there are only \(sections.count) sections before the update"
      )
    }
    for index in arriving {
      check(
        new.indices.contains(index),
        "attempt to insert or move to section \(index), but there are only \(new.count) sections after the update"
      )
    }
    check(Set(leaving).count == leaving.count, "attempt to delete and move the same section")
    check(Set(arriving).count == arriving.count, "attempt to insert the same section twice")
    return (Set(leaving), Set(arriving))
  }

  private func checkRows(_ update: BatchUpdate, _ new: [Int]) {
    let leaving = update.deletedRows + update.movedRows.map(\.from)
    let arriving = update.insertedRows + update.movedRows.map(\.to)
    for path in leaving {
      check(
        contains(path),
        "attempt to delete or move \(noun) \(path.item) from section \(path.section), which does not exist before the update"
      )
      check(
        !update.deletedSections.contains(path.section),
        "attempt to delete \(noun) \(path.item) from section \(path.section), which is deleted itself"
      )
    }
    for path in arriving {
      check(
        new.indices.contains(path.section) && path.item < new[path.section],
        "attempt to insert \(noun) \(path.item) into section \(path.section), which has no such \(noun) after the update"
      )
      check(
        !update.insertedSections.contains(path.section),
        "attempt to insert \(noun) \(path.item) into section \(path.section), which is inserted itself"
      )
    }
    check(
      Set(leaving).count == leaving.count,
      "attempt to perform multiple deletes or moves of the same \(noun)")
    check(
      Set(arriving).count == arriving.count,
      "attempt to perform multiple inserts of the same \(noun)")
  }

  private func invalid(
    _ from: Int, _ to: Int, _ count: Int, _ inserted: Int, _ deleted: Int, _ into: Int, _ out: Int
  ) -> String {
    "invalid number of \(noun)s in section \(to). The number of \(noun)s contained in an existing section after the update (\(count)) must be equal to the number of \(noun)s contained in that section before the update (\(sections.indices.contains(from) ? sections[from].rows.count : 0)), plus or minus the number of \(noun)s inserted or deleted from that section (\(inserted) inserted, \(deleted) deleted) and plus or minus the number of \(noun)s moved into or out of that section (\(into) moved in, \(out) moved out)"
  }

  private func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    fatalError("NSInternalInconsistencyException: Invalid update: \(message())")
  }
}

extension IndexPath {
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  public var section: Int { self[0] }
  public var row: Int { self[1] }
  public var item: Int { self[1] }
}
