import FoundationEssentials
import QuireTesting
import ServerAPI
import Testing

/// Histories find what is wrong with a client, and say it in few words.
@Suite(.timeLimit(.minutes(2))) struct ServedHistoriesTests {
  private struct Page: Decodable {
    struct Row: Decodable { var id: Int }
    var rows: [Row]
  }

  /// Reads numbered pages until one is empty, as many programs do.
  private func ids(of run: ServedRun) async throws -> [Int] {
    let server = Server("https://test", transport: run.transport) { $0.retry = .never }
    var ids: [Int] = []
    for number in 1...50 {
      let call = Call("/rows", params: ["page": number])
      let body = Data(try await server.send(call).text().utf8)
      let rows = try JSONDecoder().decode(Page.self, from: body).rows
      guard !rows.isEmpty else { break }
      ids += rows.map(\.id).filter { !ids.contains($0) }
    }
    return ids
  }

  @Test func `the failure of a trusting client is one deleted row`() async {
    var histories = ServedHistories()
    histories.ways = [.pages]
    let outcome = await histories.run(200) { run in
      (ids: try await ids(of: run), claim: .whole(given: [.positions]))
    }
    let failure = outcome.failure
    #expect(failure != nil && outcome.histories < 200, "\(outcome)")
    let list = ServedList(
      rows: 2, pageSize: 1, by: .pages, churn: [.before(request: 2, .delete(at: 0))])
    #expect(failure?.list == list, "\(outcome)")
    #expect(
      failure?.description.hasSuffix(
        """
        ServedList(
          rows: 2, pageSize: 1, by: .pages,
          churn: [.before(request: 2, .delete(at: 0))])
        """) == true, "\(outcome)")
  }

  @Test func `a client that claims nothing never fails`() async {
    var histories = ServedHistories()
    histories.ways = [.pages, .pagesOfAnySize, .pagesOfCappedSize]
    let outcome = await histories.run(100) { run in
      (ids: try await ids(of: run), claim: .nothing)
    }
    #expect(outcome.failure == nil && outcome.histories == 100 && outcome.lossy > 10)
  }

  @Test func `an error of the client is a failure`() async {
    var histories = ServedHistories()
    histories.ways = [.pagesRefusedAfterEnd]
    let outcome = await histories.run(5) { run in (ids: try await ids(of: run), claim: .nothing) }
    #expect(outcome.failure?.problem.contains("404") == true, "\(outcome)")
  }

  @Test func `the history of a seed is always the same`() {
    var histories = ServedHistories()
    histories.faults = [.cut, .slow(.seconds(1)), .shifted(by: 2), .repeatedCursor, .emptyPage]
    let lists = (0..<50).map { histories.list(seed: $0) }
    #expect(lists == (0..<50).map { histories.list(seed: $0) })
    #expect(Set(lists).count == 50 && lists.contains { !$0.faults.isEmpty })
    #expect(lists.allSatisfy { !$0.description.contains("nil") })
  }
}
