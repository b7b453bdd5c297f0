import QuireTesting
import Testing

@testable import ListModel
@testable import ListReading

/// About 30,000 random steps in all; set `QUIRE_SEED` to repeat those of a failure.
struct RandomHistoryTests {
  static let policies: [DuplicatePolicy] = [.keepFirst, .replaceInPlace, .moveToNew]

  @Test(arguments: policies, [false, true])
  func `each random page reports its change exactly`(
    policy: DuplicatePolicy, compares: Bool
  ) throws {
    try check(policy, compares: compares, edits: false)
  }

  @Test(arguments: policies, [false, true])
  func `each random page or edit reports its change exactly`(
    policy: DuplicatePolicy, compares: Bool
  ) throws {
    try check(policy, compares: compares, edits: true)
  }

  @Test(arguments: policies)
  func `rolling back all edits restores the list without them`(
    policy: DuplicatePolicy
  ) throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(12, full: 1_000) {
      let history = StoreStep.history(of: 60, edits: true, confirms: false, using: &random)
      let check = StoreCheck(policy: policy, isSame: nil, fails: Self.traceOfEdits)
      guard check.fails(check, history) != nil else { continue }
      let shortest = check.shrunk(history)
      Issue.record("\(random): \(check.fails(check, shortest) ?? "") in \(shortest)")
      return
    }
  }

  /// The difference after all edits are rolled back.
  private static func traceOfEdits(_ check: StoreCheck, _ history: [StoreStep]) -> String? {
    var (run, plain) = (StoreRun(check.policy), StoreRun(check.policy))
    // Such a row stays where it was inserted, so its place may differ.
    run.insertsServerRows = false
    for step in history {
      let isRefused = run.apply(step).isRefused
      if !step.isEdit, !isRefused { _ = plain.apply(step) }
    }
    while !run.pending.isEmpty { _ = run.apply(.rollback(7)) }
    let (found, expected) = (run.store.idSet, plain.store.idSet)
    return found == expected
      ? nil
      : "too many \(found.subtracting(expected)), too few \(expected.subtracting(found))"
  }

  private func check(
    _ policy: DuplicatePolicy, compares: Bool, edits: Bool
  ) throws {
    var random = try SeededGenerator.fromEnvironment()
    let check = StoreCheck(policy: policy, isSame: compares ? { $0 == $1 } : nil)
    for _ in 0..<Thoroughness.runs(12, full: 1_000) {
      let history = StoreStep.history(of: 200, edits: edits, using: &random)
      guard check.fails(check, history) != nil else { continue }
      let shortest = check.shrunk(history)
      Issue.record("\(random): \(check.fails(check, shortest) ?? "") in \(shortest)")
      return
    }
  }
}

extension ListStore<TestRow> {
  fileprivate var idSet: Set<RowID> { Set(snapshot.allIDs) }
}
