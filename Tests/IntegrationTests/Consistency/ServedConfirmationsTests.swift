import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Synchronization
import TestSupport
import Testing

/// How a walk reads a list again to know the rows of one instant: in the largest pages, by validators, by versions.
@Suite(.timeLimit(.minutes(10))) struct ServedConfirmationsTests {
  // MARK: - Larger pages

  private static let sized: [(ServedList.Way, ServedList.Total)] = [
    (.offsets, .exact), (.pagesOfAnySize, .exact), (.ranges, .exact), (.relay, .exact),
  ]

  @Test(arguments: sized.indices) private func `larger pages confirm a list with few requests`(
    way: Int
  ) async throws {
    let (way, total) = Self.sized[way]
    for rows in [41, 1_000, 2_000, 2_013] {
      let list = ServedList(rows: rows, pageSize: 20, by: way, total: total)
      let plain = ServedRun(list)
      _ = try await plain.walk(consistency: .any)
      let run = ServedRun(list)
      let (reading, walk) = try await run.walk(consistency: .exact)
      #expect(walk.consistency.claim == .exact, "\(way) \(rows): \(walk.consistency)")
      #expect(reading.ids == Array(1...rows))
      let most = max(plain.requestCount + 2, plain.requestCount * 5 / 4)
      #expect(run.requestCount <= most, "\(way) \(rows): \(run.requestCount)")
    }
  }

  /// A server that sends at most so many rows, whatever is requested.
  private func cappedServer(_ cap: Int, rows: Int) -> MockTransport {
    MockTransport { request in
      let size = min(cap, request.query["size"].flatMap { Int($0) } ?? 20)
      let number = request.query["page"].flatMap { Int($0) }
      let start = request.query["offset"].flatMap { Int($0) } ?? ((number ?? 1) - 1) * size
      let ids = (0..<rows).dropFirst(start).prefix(size).map { #"{"id":\#($0)}"# }
      return .json(#"{"total":\#(rows),"rows":[\#(ids.joined(separator: ","))]}"#)
    }
  }

  @Test(arguments: [7, 20, 21, 35, 50, 99, 100, 1_000], [true, false])
  private func `pages are as large as the server sends them`(cap: Int, byNumber: Bool)
    async throws
  {
    for ends in [[], [EndRule.shortPage]] where cap >= 20 || ends.isEmpty {
      let transport = cappedServer(cap, rows: 403)
      let server = Server("https://test", transport: transport) { $0.retry = .never }
      let paging: Paging =
        byNumber
        ? .pageNumber(size: 20, sizeParameter: "size")
        : .offset(limit: 20, limitParameter: "size")
      let walk = PageWalk(
        server, "/rows", items: "rows", paging: ends.isEmpty ? paging : paging.ending(ends),
        identity: .by("id"), consistency: .exact)
      var ids: [Int] = []
      while let page = try await walk.next() { ids += page.rows.compactMap { $0["id"]?.int } }
      #expect(ids == Array(0..<403))
      #expect(walk.consistency.claim == .exact, "\(cap): \(walk.consistency)")
      let usual = (403 + min(cap, 20) - 1) / min(cap, 20)
      let again = cap <= 20 ? usual : (403 + min(cap, 100) - 1) / min(cap, 100)
      // Offsets overlap, which takes a row of each page where pages have no more.
      let most = byNumber ? usual + again + 3 : 2 * usual * 8 / 7 + 3
      #expect(transport.requests.count <= most, "\(cap)")
    }
  }

  // MARK: - Validators

  /// Adds an `ETag` to each response of another transport, and confirms a response that the client has.
  private final class ValidatingTransport: Transport {
    let inner: any Transport
    let bodies = Atomic(0)
    let confirmed = Atomic(0)

    init(_ inner: any Transport) { self.inner = inner }

    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
      var response = try await inner.send(request)
      let tag = "\"\(response.body.withUnsafeBytes { Array($0).hashValue })\""
      response.headers["ETag"] = tag
      guard request.headers["If-None-Match"] == tag else {
        bodies.add(1, ordering: .relaxed)
        return response
      }
      confirmed.add(1, ordering: .relaxed)
      return HTTPResponse(
        status: 304, headers: ["ETag": tag], body: ResponseBody(), url: response.url)
    }
  }

  private static let ways: [(ServedList.Way, ServedList.Total)] = [
    (.pages, .exact), (.offsets, .exact), (.offsetsOfCappedSize, .exact),
    (.ranges, .exact), (.cursors, .exact), (.nextAddresses, .exact),
  ]

  @Test(arguments: ways.indices) private func `no body of a still list is sent twice`(
    way: Int
  ) async throws {
    let (way, total) = Self.ways[way]
    for rows in [40, 45, 1_013] {
      let list = ServedList(rows: rows, pageSize: 20, by: way, total: total)
      let once = ServedRun(list)
      _ = try await once.walk(consistency: .seams)
      let run = ServedRun(list)
      let transport = ValidatingTransport(run.transport)
      let (reading, walk) = try await run.walk(run.server(transport), consistency: .exact)
      let bodies = transport.bodies.load(ordering: .relaxed)
      let name = "\(way) \(rows): \(walk.consistency)"
      #expect(walk.consistency.claim == .exact && reading.ids == Array(1...rows), "\(name)")
      #expect(transport.confirmed.load(ordering: .relaxed) > 0, "\(name)")
      #expect(bodies == once.requestCount && run.requestCount <= 2 * bodies, "\(name): \(bodies)")
    }
  }

  /// Walks with validators, and expects that no row is doubled and nothing is claimed falsely. Returns how many
  /// responses were confirmed.
  private func confirm(_ run: ServedRun, _ name: String) async throws -> (PageWalk, Int) {
    let transport = ValidatingTransport(run.transport)
    let (reading, walk) = try await run.walk(run.server(transport), consistency: .exact)
    let gone = Set(walk.goneIDs)
    let verdict = run.verdict(
      ids: reading.ids.filter { !gone.contains(RowID($0)) }, claim: reading.claim)
    #expect(!verdict.isFalse, "\(name): \(verdict), \(walk.consistency)")
    #expect(Set(reading.ids).count == reading.ids.count, "\(name)")
    return (walk, transport.confirmed.load(ordering: .relaxed))
  }

  @Test(arguments: ways.indices) private func `no claim by validators is false`(
    way: Int
  ) async throws {
    let (way, total) = Self.ways[way]
    let first = try SeededGenerator.fromEnvironment().seed
    var exact = 0
    var confirmed = 0
    for seed in first..<first &+ UInt64(Thoroughness.runs(60, full: 5_000)) {
      var random = SeededGenerator(seed: seed)
      let rates = ServedList.Rates(
        insert: Double.random(in: 0...0.15, using: &random),
        delete: Double.random(in: 0...0.15, using: &random))
      let run = ServedRun(
        ServedList(
          rows: Int.random(in: 5...40, using: &random),
          pageSize: Int.random(in: 2...6, using: &random), by: way, total: total,
          churn: .random(seed: seed, rates)))
      let (walk, count) = try await confirm(run, "\(way), seed \(seed)")
      if walk.consistency.claim == .exact { exact += 1 } else { #expect(walk.end != .complete) }
      confirmed += count
    }
    if Thoroughness.current != .brief { #expect(exact > 0 && confirmed > 0, "\(way)") }
  }

  @Test func `a validator confirms no total in a header`() async throws {
    // The first page is confirmed as it was when its header reported 35 rows; now there are 37.
    let run = ServedRun(
      ServedList(
        rows: 35, pageSize: 5, by: .ranges, total: .exact,
        churn: [
          .before(request: 3, .insert(at: 6)), .before(request: 6, .insert(at: 36)),
          .before(request: 13, .delete(at: 33)),
        ]))
    let (_, confirmed) = try await confirm(run, "ranges")
    #expect(confirmed > 0)
  }

  @Test func `a program's own conditions are left alone`() async throws {
    let run = ServedRun(ServedList(rows: 45, pageSize: 20, by: .offsets, total: .exact))
    let transport = ValidatingTransport(run.transport)
    var call = run.list.call
    call.headers["If-None-Match"] = "\"other\""
    let walk = PageWalk(
      run.server(transport), call, items: run.list.items, paging: run.list.paging,
      identity: .by("id"), consistency: .exact)
    while try await walk.next() != nil {}
    #expect(transport.confirmed.load(ordering: .relaxed) == 0)
    #expect(walk.consistency.claim == .exact)
  }
}
