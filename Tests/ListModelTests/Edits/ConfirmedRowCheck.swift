@testable import ListModel
@testable import ListReading

extension StoreRun {
  /// Confirms an edit with a row of the server, and checks that this row is in the list once, in the place of
  /// the edited one or in its own, and that all other rows stay.
  mutating func confirm(_ edit: EditID, as number: Int) -> Outcome {
    guard let row = store.edits.row(of: edit), case .number(let same) = row,
      let pending = store.edits[row].first(where: { $0.id == edit })
    else { return Outcome() }
    let id: Int
    switch (number % 4, rowID(number)) {
    case (0, _): id = same
    case (1, .number(let listed)): id = listed
    case (2, _): id = number % 3_000
    default: id = 200_000 + number % 10_000
    }
    let item = TestRow(id: id, text: "confirmed")
    let other = RowID(id)
    let before = store.snapshot.allIDs
    let change = store.confirm(edit, as: item, id: other).change
    var outcome = Outcome(change: change)
    if pending.isRemoval {
      if !change.isEmpty { outcome.problem = "a confirmed removal changed rows" }
    } else {
      outcome.problem = problem(of: row, as: item, before)
    }
    return outcome
  }

  private func problem(of row: RowID, as item: TestRow, _ before: [RowID]) -> String? {
    let other = RowID(item.id)
    let after = store.snapshot.allIDs
    let pair: Set = [row, other]
    if before.filter({ !pair.contains($0) }) != after.filter({ !pair.contains($0) }) {
      return "another row was moved or lost"
    }
    if row != other, store.contains(row) { return "the edited row is still there" }
    let isExpected = !store.edits.isRemoving(other) && !pair.isDisjoint(with: before)
    if after.count(where: { $0 == other }) != (isExpected ? 1 : 0) {
      return "the server's row is \(isExpected ? "lost" : "there")"
    }
    if isExpected, !before.contains(other),
      before.firstIndex(of: row) != after.firstIndex(of: other)
    {
      return "the row left its place"
    }
    if let found = store.place(of: other)?.item, found != store.edits.content(of: other) ?? item {
      return "the wrong content"
    }
    return problemOfRollbacks(of: other, to: item, isThere: isExpected)
  }

  /// Without all other edits of the row it has the content of the server.
  private func problemOfRollbacks(of id: RowID, to item: TestRow, isThere: Bool) -> String? {
    var store = store
    let isHomeless = store.edits[id].contains { $0.savesPlace && $0.spot == nil }
    for pending in store.edits[id].reversed() { _ = store.rollback(pending.id) }
    if isThere, !isHomeless, !store.contains(id) { return "a rollback loses the row" }
    if let found = store.place(of: id)?.item, found != item { return "a rollback shows \(found)" }
    return nil
  }
}
