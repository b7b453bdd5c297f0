@testable import ListModel
@testable import ListReading

/// Applies a history to a store and finds the first step that breaks a rule.
struct StoreCheck {
  let policy: DuplicatePolicy
  let isSame: ((TestRow, TestRow) -> Bool)?
  /// The rules that are checked.
  var fails: (StoreCheck, [StoreStep]) -> String? = { $0.failure(in: $1) }

  /// The first step that breaks a rule, and the rule.
  func failure(in history: [StoreStep]) -> String? {
    var run = StoreRun(policy, isSame: isSame)
    var naive = NaiveList(policy: policy)
    let isNaive = !history.contains(where: \.isEdit)
    var kept: [(snapshot: ListSnapshot<TestRow>, rows: [ListRow<TestRow>])] = []
    var (rows, ids): ([ListRow<TestRow>], [RowID]) = ([], [])
    for (number, step) in history.enumerated() {
      let outcome = run.apply(step)
      let snapshot = run.store.snapshot
      let (newRows, newIDs) = (snapshot.allRows, snapshot.allIDs)
      let problem =
        outcome.problem ?? changeProblem(outcome, from: rows, ids, to: newRows, newIDs)
        ?? storeProblem(run.store, newRows, newIDs, before: ids, number)
        ?? (isNaive ? naive.problem(after: step, outcome, newRows, newIDs) : nil)
      if let problem { return "step \(number) \(step): \(problem) (\(outcome.change))" }
      if number % 20 == 0 { kept.append((snapshot, newRows)) }
      (rows, ids) = (newRows, newIDs)
    }
    let changed = kept.firstIndex {
      $0.snapshot.allRows != $0.rows || $0.snapshot.count != $0.rows.count
    }
    return changed.map { "the snapshot after step \($0 * 20) changed" }
  }

  private func changeProblem(
    _ outcome: StoreRun.Outcome, from rows: [ListRow<TestRow>], _ ids: [RowID],
    to newRows: [ListRow<TestRow>], _ newIDs: [RowID]
  ) -> String? {
    if outcome.isRefused, rows != newRows { return "a rejected step changed rows" }
    if outcome.change.applied(to: rows, new: { newRows[$0] }) != newRows {
      return "the change does not produce the rows"
    }
    var inserted: Set<Int> = []
    for position in outcome.change.inserted.joined() { inserted.insert(position) }
    let mixed = outcome.change.applied(to: ids) { inserted.contains($0) ? newIDs[$0] : "?" }
    let expected = newIDs.indices.map { position in
      outcome.change.updated.contains { $0.contains(position) } ? "?" : newIDs[position]
    }
    if mixed != expected { return "the change confuses rows" }
    if let merge = outcome.merge, merge.added != inserted.count {
      return "\(merge.added) rows added"
    }
    return nil
  }

  private func storeProblem(
    _ store: ListStore<TestRow>, _ rows: [ListRow<TestRow>], _ ids: [RowID], before: [RowID],
    _ number: Int
  ) -> String? {
    let distinct = Set(ids)
    if distinct.count != ids.count { return "an id is in the list twice" }
    if ids.count != rows.count || store.snapshot.count != rows.count { return "wrong count" }
    let items = rows.compactMap(\.item)
    if store.loadedRows != items.count
      || zip(store.snapshot.items, items).contains(where: { $0 != $1 })
    {
      return "wrong items"
    }
    if before.contains(where: { !distinct.contains($0) && store.contains($0) }) {
      return "the index has a removed row"
    }
    for position in stride(from: number % 37, to: ids.count, by: 37) {
      if store.position(of: ids[position]) != position {
        return "the index is wrong at \(position)"
      }
      if store.snapshot.row(at: position) != rows[position] { return "wrong row at \(position)" }
    }
    if store.snapshot.row(at: ids.count) != nil { return "there is a row after the last one" }
    return treeProblem(store.tree.root)
  }

  private func treeProblem(_ node: PageNode) -> String? {
    guard node.page == nil else { return nil }
    let sum = node.children.reduce(PageSpan()) { $0 + $1.span }
    if sum != node.span { return "a node counts \(node.span) instead of \(sum)" }
    if node.children.count > PageNode.fanOut { return "a node is too wide" }
    if Set(node.children.map(\.depth)).count > 1 { return "pages are at different depths" }
    if node.children.map(\.first) != node.children.map(\.first).sorted() { return "wrong order" }
    return node.children.lazy.compactMap(treeProblem).first
  }

  /// Shrinks a failing history by leaving out steps.
  func shrunk(_ history: [StoreStep]) -> [StoreStep] {
    var history = history
    var length = history.count / 2
    while length > 0 {
      var start = 0
      while start < history.count {
        var shorter = history
        shorter.removeSubrange(start..<min(start + length, history.count))
        if fails(self, shorter) != nil { history = shorter } else { start += length }
      }
      length /= 2
    }
    return history
  }
}

extension PageNode {
  fileprivate var depth: Int { (children.first?.depth ?? -1) + 1 }
}
