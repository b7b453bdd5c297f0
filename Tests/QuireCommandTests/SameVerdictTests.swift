import ListModel
import ListReading
import Quire
import QuireTesting
import TestSupport
import Testing

@testable import QuireCommand

/// A list, a walk, a loop and a crawl say the same of the same server: complete, or why not.
@MainActor @Suite(.timeLimit(.minutes(2))) struct SameVerdictTests {
  struct Row: Decodable, Identifiable, Equatable {
    let id: Int
  }

  /// A server, how its paging is declared, and the verdict: how often each row is told, and why some are missing.
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let paging: Paging
    let options: [String]
    /// The reason why rows are missing; `nil` where the list is complete.
    let reason: String?
    let serve: @Sendable (_ page: Int, _ count: Int) -> (rows: Range<Int>, members: String)

    init(
      _ description: String, _ paging: Paging, _ options: String, _ reason: String? = nil,
      serve: @escaping @Sendable (_ page: Int, _ count: Int) -> (rows: Range<Int>, members: String)
    ) {
      self.description = description
      self.paging = paging
      self.options = options.split(separator: " ").map(String.init)
      self.reason = reason
      self.serve = serve
    }

    /// Starts the server. `count` is the number of responses before one.
    func start() throws -> LoopbackServer {
      let counter = ResponseCounter()
      return try LoopbackServer { [serve] request in
        let (rows, members) = serve(request.number("page") ?? 1, counter.next())
        let json = rows.map { #"{"id":\#($0)}"# }.joined(separator: ",")
        return .json(#"{"rows":[\#(json)],\#(members)}"#)
      }
    }
  }

  /// Pages of 50 of 137 rows, chained by addresses.
  private nonisolated static func chained(_ page: Int, _ member: String = "next") -> (
    rows: Range<Int>, members: String
  ) {
    let next = page < 3 ? #""/rows?page=\#(page + 1)""# : "null"
    return (
      ((page - 1) * 50..<page * 50).clamped(to: 0..<137), #""count":137,"\#(member)":\#(next)"#
    )
  }

  nonisolated static let cases: [Case] = [
    Case("honest", .nextURL(at: "next", total: "count"), "--next next --total count") { page, _ in
      chained(page)
    },
    Case(
      "a path that leads nowhere", .nextURL(at: "nxt", total: "count"),
      "--next nxt --total count", "did you mean 'next'?"
    ) { page, _ in chained(page) },
    Case(
      "a path that leads nowhere, without a total", .nextURL(at: "nxt"), "--next nxt",
      "the response has no “nxt”"
    ) { page, _ in chained(page) },
    Case(
      "a cursor that leads nowhere", .cursor(at: "cursor", size: 50),
      "--cursor cursor --size 50 --size-param limit", "all 50 rows that were requested"
    ) { _, _ in (0..<50, #""x":1"#) },
    Case(
      "the wrong end", .nextURL(at: "next", total: "count"), "--next next --total count",
      "87 of 137 rows are missing"
    ) { _, _ in (0..<50, #""count":137,"next":null"#) },
    Case(
      "a page that comes twice", .nextURL(at: "next", total: "count"),
      "--next next --total count", "50 of 137 rows are missing"
    ) { page, _ in
      let (rows, members) = chained(page)
      return (page == 2 ? 0..<50 : rows, members)
    },
    Case(
      "a page that comes twice, counted", .pageNumber(size: 50, endsBy: .total("count")),
      "--paging page --size 50 --total count", "50 of 137 rows are missing"
    ) { page, _ in
      let (rows, members) = chained(page)
      return (page == 2 ? 0..<50 : rows, members)
    },
    Case(
      "a total that falls, and rows that are found again",
      .pageNumber(size: 50, endsBy: .total("count")), "--paging page --size 50 --total count"
    ) { page, count in
      let first = count == 0 ? 0 : 2
      let rows = (first + (page - 1) * 50..<first + page * 50).clamped(to: 0..<137)
      return (rows, #""count":\#(137 - first)"#)
    },
    Case(
      "a number of pages that falls", .pageNumber(size: 50, endsBy: .pageCount("pages")),
      "--paging page --size 50 --pages pages", "the total number of pages fell from 4 to 3"
    ) { page, count in
      let first = count == 0 ? 0 : 40
      let rows = (first + (page - 1) * 50..<first + page * 50).clamped(to: 0..<180)
      return (rows, #""pages":\#(count == 0 ? 4 : 3)"#)
    },
    Case(
      "a total beside the number that decides",
      .pageNumber(size: 50, endsBy: .nextPage("following")),
      "--paging page --size 50 --next-page following", "87 of 137 rows are missing"
    ) { page, _ in (page == 1 ? 0..<50 : 0..<0, #""following":null,"total":137"#) },
    Case(
      "a flag that says more", .pageNumber(size: 50, endsBy: .total("count")),
      "--paging page --size 50 --total count", "“has_more” is true"
    ) { _, _ in (0..<50, #""count":50,"has_more":true"#) },
    Case(
      "pages that count themselves", .pageNumber(size: 50, endsBy: .total("count")),
      "--paging page --size 50 --total count"
    ) { page, _ in
      let rows = ((page - 1) * 50..<page * 50).clamped(to: 0..<137)
      return (rows, #""count":\#(rows.count)"#)
    },
    Case(
      "an empty page in the middle", .pageNumber(endsBy: .pageCount("pages")),
      "--paging page --pages pages", "the server reported 9 pages"
    ) { page, _ in (page == 2 ? 0..<0 : (page - 1) * 50..<page * 50, #""pages":9"#) },
  ]

  /// Checks what a reader says, and that it had each row once.
  private func check(
    _ reader: String, _ verdict: Case, _ ids: [Int], complete: Bool, _ text: String
  ) {
    #expect(complete == (verdict.reason == nil), "\(reader): \(text)")
    if let reason = verdict.reason { #expect(text.contains(reason), "\(reader): \(text)") }
    #expect(Set(ids).count == ids.count, "\(reader) has a row twice")
  }

  @Test(arguments: cases) func `every reader gives the same verdict`(verdict: Case) async throws {
    try await compare(verdict) { try verdict.start() }
  }

  /// How a list that moved to another origin pages there, and the options for that.
  nonisolated static let moved: [Case] = [
    Case("relative addresses", .nextURL(at: "next"), "--next next") { page, _ in
      chained(page)
    },
    Case("recognized addresses", .automatic, "") { page, _ in chained(page) },
    Case(
      "pages by number", .pageNumber(size: 50, endsBy: .total("count")),
      "--paging page --total count --size 50"
    ) {
      page, _ in chained(page, "x")
    },
    Case("recognized numbers", .automatic, "") { page, _ in chained(page, "x") },
  ]

  @Test(arguments: moved, [false, true])
  func `a list that the server moved to another origin is complete`(
    verdict: Case, isAbsolute: Bool
  ) async throws {
    let home = try LoopbackServer { request in
      let base = "http://\(request.header("Host") ?? "")"
      let page = request.number("page") ?? 1
      let (rows, members) = verdict.serve(page, 0)
      let json = rows.map { #"{"id":\#($0)}"# }.joined(separator: ",")
      return .json(
        #"{"rows":[\#(json)],\#(isAbsolute ? members.replacing("/rows", with: base + "/rows") : members)}"#
      )
    }
    let old = try LoopbackServer { [base = home.baseURL] request in
      .redirect(to: base + request.target)
    }
    try await compare(verdict) { old }
    #expect(home.requestCount > 0 && old.requestCount > 0)
  }

  /// Reads the list with each reader, each from a server of its own.
  private func compare(_ verdict: Case, start: () throws -> LoopbackServer) async throws {
    var rows: [String: Set<Int>] = [:]
    func server(_ loopback: LoopbackServer) -> Server {
      Server(loopback.baseURL) { $0.retry = .never }
    }

    let listed = try start()
    let list = ListModel<Row>(server(listed), "/rows", items: "rows", paging: verdict.paging)
    _ = await list.refresh().outcome
    for _ in 0..<20 where list.state(of: .next) == .idle { _ = await list.loadNextPage().outcome }
    guard case .reachedEnd(let end) = list.state(of: .next) else {
      Issue.record("the list ended as \(list.state(of: .next))")
      return
    }
    let ids = list.rows.items.map(\.id)
    check("list", verdict, ids, complete: end == .complete, "\(end)")
    rows["list"] = Set(ids)

    let walked = try start()
    let walk = PageWalk(server(walked), "/rows", items: "rows", paging: verdict.paging)
    var walkIDs: [Int] = []
    while let page = try await walk.next() { walkIDs += page.rows.compactMap { $0["id"]?.int } }
    check(
      "walk", verdict, walkIDs, complete: walk.end == .complete,
      "\(String(describing: walk.end))")
    rows["walk"] = Set(walkIDs)

    let looped = try start()
    let loop = server(looped).items(Row.self, "/rows", at: "rows", paging: verdict.paging)
    var loopIDs: [Int] = []
    var reason: LoadError?
    do throws(LoadError) {
      for try await row in loop { loopIDs.append(row.id) }
    } catch {
      reason = error
    }
    check(
      "loop", verdict, loopIDs, complete: reason == nil, "\(String(describing: reason))")
    rows["loop"] = Set(loopIDs)

    let crawled = try start()
    let result = try await QuireProcess.run(
      ["crawl", crawled.baseURL + "/rows", "--items", "rows"] + verdict.options)
    let crawlIDs = result.output.split(separator: "\n").compactMap {
      Int($0.filter(\.isNumber))
    }
    check(
      "crawl", verdict, crawlIDs, complete: result.status == 0,
      "status \(result.status): \(result.errors)")
    #expect(result.status == (verdict.reason == nil ? 0 : 3), "\(result.errors)")
    rows["crawl"] = Set(crawlIDs)
    #expect(Set(rows.values).count == 1, "\(rows.mapValues(\.count))")
  }
}
