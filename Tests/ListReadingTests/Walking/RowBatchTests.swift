import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Rows that come in parts over several responses.
@Suite(.timeLimit(.minutes(1))) struct RowBatchTests {
  /// Two batches of two rows: their titles, then their links in two parts. The last batch may stay incomplete.
  private static func transport(isCut: Bool = false) -> MockTransport {
    MockTransport { request in
      let part = request.query["cursor"].flatMap { Int($0) } ?? 0
      let first = part / 3 * 2 + 1
      let rows = (first...first + 1).map { (id: Int) in
        switch part % 3 {
        case 0: #"{"id":\#(id),"title":"t\#(id)","links":{"a":[1]}}"#
        case 1: #"{"id":\#(id),"links":{"a":[2]}}"#
        default: #"{"id":\#(id),"links":{"b":[3]},"size":1.50}"#
        }
      }
      let done = part % 3 == 2 && !(isCut && part == 5) ? #","done":"""# : ""
      let next = part < 5 ? #""\#(part + 1)""# : "null"
      return .json(#"{"rows":[\#(rows.joined(separator: ","))],"next":\#(next)\#(done)}"#)
    }
  }

  private func walk(
    _ transport: MockTransport, from checkpoint: PageWalk.Checkpoint? = nil,
    knownIDs: [RowID] = [], identity: PageWalk.Identity = .recognized
  ) -> PageWalk {
    PageWalk(
      Server("https://test", transport: transport) { $0.retry = .never }, "/rows", items: "rows",
      paging: .cursor(at: "next"), identity: identity, merging: "done", from: checkpoint,
      knownIDs: knownIDs)
  }

  private static func text(_ id: Int) -> String {
    #"{"id":\#(id),"title":"t\#(id)","links":{"a":[1,2],"b":[3]},"size":1.50}"#
  }

  @Test func `the parts of a row become one row`() async throws {
    let walk = walk(Self.transport())
    var rows: [String] = []
    while let page = try await walk.next() { rows += page.rows.map(\.text) }
    #expect(rows == (1...4).map(Self.text))
    #expect(walk.end == .complete)
  }

  @Test func `a list that ends within a batch is incomplete, with the parts there are`()
    async throws
  {
    let walk = walk(Self.transport(isCut: true))
    var rows: [String] = []
    while let page = try await walk.next() { rows += page.rows.map(\.text) }
    #expect(rows == (1...4).map(Self.text))
    #expect(walk.end.map { "\($0)" }?.contains("“done”") == true)
  }

  @Test(arguments: 1...5) func `a walk that resumes within a batch reads it from its start`(
    pages: Int
  ) async throws {
    let first = walk(Self.transport())
    var rows: [String] = []
    var ids: [RowID] = []
    for _ in 0..<pages {
      let page = try #require(try await first.next())
      rows += page.rows.map(\.text)
      ids += page.ids.compactMap(\.self)
    }
    let text = try #require(first.checkpoint?.text)
    let second = walk(Self.transport(), from: PageWalk.Checkpoint(text: text), knownIDs: ids)
    while let page = try await second.next() { rows += page.rows.map(\.text) }
    #expect(rows == (1...4).map(Self.text))
    #expect(second.end == .complete)
  }

  @Test func `parts of rows without ids are an error`() async throws {
    let transport = MockTransport { _ in .json(#"{"rows":[{"a":1},{"a":1}],"next":"x"}"#) }
    let walk = walk(transport)
    await #expect(throws: LoadError.self) { _ = try await walk.next() }
    let named = self.walk(transport, identity: .by("key"))
    do throws(LoadError) {
      _ = try await named.next()
      Issue.record("rows without ids were merged")
    } catch {
      #expect("\(error)".contains("a row has no “key”"), "\(error)")
    }
  }
}
