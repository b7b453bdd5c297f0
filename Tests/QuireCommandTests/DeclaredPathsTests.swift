import QuireTesting
import Testing

/// Options that name what no response or row of a crawl has.
@Suite(.timeLimit(.minutes(2))) struct DeclaredPathsTests {
  private static let served = ServedRows(count: 60)

  /// A server of three pages, whose pages have these members beside their rows.
  private func server(
    _ members: @escaping @Sendable (_ page: Int) -> String
  ) throws -> LoopbackServer {
    try LoopbackServer { request in
      let page = request.number("page") ?? 1
      return Self.served.page(number: page, #""page":\#(page)\#(members(page))"#)
    }
  }

  private func crawl(
    _ server: LoopbackServer, _ options: [String]
  ) async throws -> QuireProcess.Result {
    try await QuireProcess.run(["crawl", server.baseURL + "/rows", "--paging", "page"] + options)
  }

  @Test(arguments: [
    ["--total", "meta.count"], ["--total", "header:X-Count"], ["--pages", "meta.pages"],
    ["--has-next", "links.more"], ["--has-next", "!meta.done"], ["--last-page", "header:X-Last"],
    ["--next-page", "meta.following"], ["--version-at", "header:X-Revision"],
    ["--total", "header:X-Page#total"],
  ])
  func `a place that is in no response exits with 1, and its rows are written`(
    _ options: [String]
  ) async throws {
    let server = try server { _ in "" }
    let result = try await crawl(server, options)
    #expect(result.status == 1, "\(result.errors)")
    #expect(ids(result.output) == Self.served.ids)
    #expect(
      result.errors.contains("quire crawl: \(options[0]): no response has "), "\(result.errors)")
    #expect(result.errors.contains("check the path"))
  }

  @Test func `a selected member that is in no row exits with 1`() async throws {
    let server = try server { _ in "" }
    let result = try await crawl(server, ["--select", "id,nothing.like.it", "--format", "json"])
    #expect(result.status == 1 && result.errors.contains("--select: no row has nothing.like.it"))
    // The array of the rows is closed.
    #expect(result.output.hasSuffix("]\n"))
  }

  @Test func `a place that only a later page has is there`() async throws {
    let server = try server { $0 == 3 ? #","sum":60,"done":true"# : "" }
    for options in [["--total", "sum"], ["--has-next", "!done"], ["--version-at", "sum"]] {
      let result = try await crawl(server, options)
      #expect(result.status == 0, "\(options): \(result.errors)")
      #expect(!result.errors.contains("no response has"))
    }
  }

  @Test func `a member that only a later row has is there`() async throws {
    let server = try LoopbackServer { request in
      let page = request.number("page") ?? 1
      return page > 2
        ? .json(#"{"rows":[]}"#)
        : .json(#"{"rows":[{"id":\#(page)\#(page == 2 ? #","note":null"# : "")}]}"#)
    }
    let result = try await crawl(server, ["--select", "id,note"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(ids(result.output) == [1, 2])
  }

  @Test func `a name that is similar on a later page is suggested`() async throws {
    let server = try server { $0 > 1 ? #","totals":60"# : "" }
    let result = try await crawl(server, ["--total", "total"])
    #expect(result.status == 1 && result.errors.contains("did you mean 'totals'?"))
  }

  @Test func `a crawl that stops early or resumes misses nothing`() async throws {
    let server = try server { $0 == 1 ? #","sum":60"# : "" }
    let folder = try TemporaryFolder()
    let bounded = try await crawl(server, ["--pages", "meta.pages", "--max-pages", "2"])
    #expect(bounded.status == 3 && !bounded.errors.contains("no response has"))
    let options = ["--total", "sum", "--resume", folder.file("state")]
    let words = ["crawl", server.baseURL + "/rows", "--paging", "page"] + options
    let rows = folder.file("rows")
    let first = try await QuireProcess(words + ["--max-pages", "1"], appendingTo: rows).end()
    #expect(first.status == 3, "\(first.errors)")
    let rest = try await QuireProcess(words, appendingTo: rows).end()
    #expect(rest.status == 0 && ids(rest.output) == Self.served.ids, "\(rest.errors)")
  }

  @Test func `a list without rows and without what an option names is not exact`() async throws {
    let server = try LoopbackServer { _ in .json(#"{"rows":[],"sum":0}"#) }
    let words = ["--items", "rows", "--stats"]
    let named = try await crawl(server, words + ["--total", "sum"])
    #expect(named.status == 0 && !named.errors.contains("nothing proves"), "\(named.errors)")
    let unnamed = try await crawl(server, words + ["--total", "meta.count"])
    #expect(unnamed.status == 0, "\(unnamed.errors)")
    #expect(unnamed.errors.contains("--total: no response has meta.count, so nothing proves"))
    #expect(unnamed.errors.contains(#""consistency":"unproven""#))
    let exact = try await crawl(
      server, words + ["--total", "meta.count", "--consistency", "exact"])
    #expect(exact.status == 3, "\(exact.errors)")
  }
}

/// Why `--where` matches no row.
@Suite(.timeLimit(.minutes(2))) struct FilterDoubtsTests {
  @Test(arguments: [
    ("@.prise < 10", "no row has prise; did you mean 'price'?"),
    ("@.author.name == 'A'", "no row has author.name; check the path"),
    ("@.nothing", "no row has nothing; check the path"),
    ("@.title && length(@.subtitle) > 3", "no row has subtitle; check the path"),
    ("@.title > 10", "title is text, and is compared with a number"),
    ("10 > @.title", "title is text, and is compared with a number"),
    ("@.position == '5'", "position is a number, and is compared with text"),
    ("match(@.position, '5')", "position is a number, and is compared with text"),
    ("@.title == true", "title is text, and is compared with true or false"),
  ])
  func `a filter that matches no row says why`(_ filter: String, _ reason: String) async throws {
    let server = try LoopbackServer { ServedRows(count: 60).page(number: $0.number("page") ?? 1) }
    let words = ["crawl", server.baseURL + "/rows", "--paging", "page", "--where", filter]
    let result = try await QuireProcess.run(words)
    #expect(result.status == 0 && result.output == "", "\(result.errors)")
    #expect(
      result.errors.hasPrefix("quire crawl: --where matches no row: \(reason)"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  @Test(arguments: [
    // A row matches.
    "@.position == 59 || @.prise < 10",
    // The members are there, and of the right kinds.
    "@.position > 100 && @.title != 'x'", "@.title == 'x'", "@.position == null",
    // Rows can match without the member.
    "@.position > 100 && !@.deleted && @.state != 'gone'",
    "@.position > 100 && count(@.tags[*]) == 0",
  ])
  func `a filter without a doubtful member says nothing`(_ filter: String) async throws {
    let server = try LoopbackServer { ServedRows(count: 60).page(number: $0.number("page") ?? 1) }
    let words = ["crawl", server.baseURL + "/rows", "--paging", "page", "--where", filter]
    let result = try await QuireProcess.run(words)
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
  }
}
