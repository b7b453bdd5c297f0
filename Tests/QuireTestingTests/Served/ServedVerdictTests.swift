import QuireTesting
import ServerAPI
import Testing

/// What a run says of the rows and the claim of a client.
@Suite(.timeLimit(.minutes(1))) struct ServedVerdictTests {
  /// A run whose list is 1 … 6, then 2 … 6, then 7, 2 … 6.
  private func run(_ more: ServedList.Change...) async throws -> ServedRun {
    let list = ServedList(
      rows: 6, pageSize: 3, by: .offsets,
      churn: ServedList.Churn([
        .before(request: 2, .delete(at: 0)),
        ServedList.Step(request: 3, changes: [.insert(at: 0)] + more),
      ]))
    let run = ServedRun(list)
    let url = try WebURL("https://test/rows")
    for _ in 0..<3 { _ = try await run.transport.send(HTTPRequest(.get, url)) }
    return run
  }

  @Test func `rows are lost, doubled, or gone`() async throws {
    let run = try await run()
    let verdict = run.verdict(ids: [1, 2, 3, 3, 5, 6], claim: .whole(given: [.order]))
    #expect(verdict.lost == [4] && verdict.doubled == [3] && verdict.ghosts == [1])
    #expect(verdict.isFalse && verdict.broken.isEmpty && verdict.instant == nil)
    #expect(
      verdict.description
        == "the client claims to be whole given order, has [3] twice, lacks [4], which stayed, "
        + "has [1], which have gone")
  }

  @Test(
    arguments: [
      (Array(1...6), 0), (Array(2...6), 1), ([7, 2, 3, 4, 5, 6], 2), (Array(1...7), nil),
      (Array(3...6), nil),
    ] as [([Int], Int?)])
  func `an exact claim names the rows of one instant`(ids: [Int], instant: Int?) async throws {
    let verdict = try await run().verdict(ids: ids, claim: .exact(given: []))
    #expect(verdict.instant == instant && verdict.isFalse == (instant == nil))
  }

  @Test func `a claim is excused by what the server broke`() async throws {
    let moved = try await run(.move(from: 5, to: 0))
    let whole = moved.verdict(ids: [1, 2, 3], claim: .whole(given: [.order, .ids]))
    #expect(whole.broken == [.order] && !whole.isTrue && !whole.isFalse)
    #expect(moved.verdict(ids: [1, 2, 3], claim: .whole(given: [.ids])).isFalse)
    #expect(moved.verdict(ids: [1, 2, 3], claim: .mayLack(atMost: 2)).isFalse)
    #expect(!moved.verdict(ids: [1, 2, 3], claim: .mayLack(atMost: 3)).isFalse)
    let returned = try await run(.restore)
    #expect(returned.verdict(ids: [], claim: .nothing).broken == [.absence])
    // It went in between, so it is not lost.
    #expect(returned.verdict(ids: [2, 3, 4, 5, 6], claim: .whole(given: [])).isTrue)
  }

  @Test func `a row that moves between its neighbors has not moved`() async throws {
    let moved = try await run(.move(from: 2, to: 2))
    #expect(moved.verdict(ids: [], claim: .nothing).broken.isEmpty)
  }

  @Test func `a refresh is judged from its own start`() async throws {
    let run = try await run()
    run.beginReading()
    // Row 7 came before the refresh, so it is lost; row 1 went before.
    let verdict = run.verdict(ids: [2, 3, 4, 5, 6], claim: .whole(given: []))
    #expect(verdict.lost == [7] && verdict.isFalse)
  }

  @Test func `a claim can be made from the words of a client`() {
    #expect(ServedList.Claim("whole", given: ["order", "else"]) == .whole(given: [.order]))
    #expect(ServedList.Claim("exact") == .exact(given: []))
    #expect(ServedList.Claim("unproven", given: ["order"]) == .nothing)
  }
}
