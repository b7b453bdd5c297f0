import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// Whole lists, read by the built command over real sockets.
@Suite(.timeLimit(.minutes(3))) struct CrawlStyleTests {
  /// Starts a server with a style of paging and returns it with the address of its list.
  private func serve(
    _ style: PagingStyle, _ served: ServedRows
  ) throws -> (LoopbackServer, String) {
    let server = try LoopbackServer { [serve = style.serve] in serve($0, served) }
    return (server, server.baseURL + style.path)
  }

  private func expectWhole(
    _ result: QuireProcess.Result, _ served: ServedRows, location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == 0, "\(result.errors)", sourceLocation: location)
    #expect(ids(result.output) == served.ids, sourceLocation: location)
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.first ?? #"{"id":1,"position":0,"price":1.10,"title":"Row 0"}"#
        == #"{"id":1,"position":0,"price":1.10,"title":"Row 0"}"#, sourceLocation: location)
  }

  @Test(arguments: PagingStyle.all, [60, 75])
  func `with options, every row is written once and in order`(
    _ style: PagingStyle, _ count: Int
  ) async throws {
    let served = ServedRows(count: count)
    let (server, url) = try serve(style, served)
    let result = try await QuireProcess.run(["crawl", url, "--stats"] + style.options)
    expectWhole(result, served)
    #expect(result.errors.contains(#""rows":\#(count),"#))
    #expect(result.errors.contains(#""duplicates":0,"#), "\(result.errors)")
    withExtendedLifetime(server) {}
  }

  @Test(arguments: PagingStyle.all.filter(\.isDetected))
  func `a common server needs no options, and those of --explain do the same`(
    _ style: PagingStyle
  ) async throws {
    let served = ServedRows(count: 75)
    let (server, url) = try serve(style, served)
    let result = try await QuireProcess.run("crawl", url, "--explain")
    expectWhole(result, served)
    let line = try #require(result.errors.split(separator: "\n").first { $0.hasPrefix("options:") })
    let words = line.dropFirst("options:".count).split(separator: " ").map {
      String($0.filter { $0 != "'" })
    }
    expectWhole(try await QuireProcess.run(["crawl", url] + words), served)
    withExtendedLifetime(server) {}
  }

  @Test(arguments: PagingStyle.all.filter { $0.options.contains("--total") })
  func `pages requested in parallel are written in order`(_ style: PagingStyle) async throws {
    let served = ServedRows(count: 215)
    let (server, url) = try serve(style, served)
    let result = try await QuireProcess.run(
      ["crawl", url, "--parallel", "4"] + style.options)
    expectWhole(result, served)
    #expect(server.requestCount <= served.pageCount + 1)
  }

  @Test func `--next-base resolves the address of the next page`() async throws {
    let served = ServedRows(count: 50)
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      guard number == 1 || request.path == "/api/v2/rows" else { return .status(404) }
      let next = number < 3 ? "\"rows?page=\(number + 1)\"" : "null"
      return served.page(number: number, #""next":\#(next)"#)
    }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL + "/first", "--next", "next", "--next-base",
      server.baseURL + "/api/v2/")
    expectWhole(result, served)
  }

  @Test func `rows can be strings, and duplicates are dropped`() async throws {
    let server = try LoopbackServer { request in
      request.number("page") == 2
        ? .json(#"{"names":["c","b","d"],"page":2,"total_pages":2}"#)
        : .json(#"{"names":["a","b","c"],"page":1,"total_pages":2}"#)
    }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--items", "names", "--stats")
    #expect(result.output == "\"a\"\n\"b\"\n\"c\"\n\"d\"\n")
    #expect(result.errors.contains(#""duplicates":2"#))
    #expect(result.status == 0)
  }

  @Test func `different rows with the same id in a page are no duplicates`() async throws {
    let server = try LoopbackServer { request in
      request.number("page") == 2
        ? .json(#"{"data":[{"id":1,"n":3},{"id":1,"n":4}],"page":2,"total_pages":2}"#)
        : .json(#"{"data":[{"id":1,"n":1},{"id":2,"n":2}],"page":1,"total_pages":2}"#)
    }
    let result = try await QuireProcess.run("crawl", server.baseURL)
    #expect(result.output.split(separator: "\n").count == 4)
  }

  @Test func `selected members of filtered rows are written as a table`() async throws {
    let (server, url) = try serve(PagingStyle.all[0], ServedRows(count: 45))
    let result = try await QuireProcess.run(
      "crawl", url, "--select", "number=position,title", "--where", "@.position >= 43",
      "--format", "table")
    #expect(result.output == "number  title\n------  ------\n43      Row 43\n44      Row 44\n")
    let csv = try await QuireProcess.run(
      "crawl", url, "--select", "position", "--where", "@.position >= 43", "--format", "csv")
    #expect(csv.output == "position\n43\n44\n")
    withExtendedLifetime(server) {}
  }
}
