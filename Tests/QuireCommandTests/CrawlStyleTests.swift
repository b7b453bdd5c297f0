import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// Whole lists by the command as it was built, over real sockets.
@Suite(.timeLimit(.minutes(3))) struct CrawlStyleTests {
  /// A server of a style, the rows it has, and the address of its list.
  private func serve(_ style: ShelfStyle, _ shelf: Shelf) throws -> (LoopbackServer, String) {
    let server = try LoopbackServer { [serve = style.serve] in serve($0, shelf) }
    return (server, server.baseURL + style.path)
  }

  private func expectWhole(
    _ result: QuireProcess.Result, _ shelf: Shelf, location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == 0, "\(result.errors)", sourceLocation: location)
    #expect(ids(result.output) == shelf.ids, sourceLocation: location)
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.first ?? #"{"id":1,"position":0,"price":1.10,"title":"Row 0"}"#
        == #"{"id":1,"position":0,"price":1.10,"title":"Row 0"}"#, sourceLocation: location)
  }

  @Test(arguments: ShelfStyle.all, [60, 75])
  func `named by options, every row comes once and in order`(
    _ style: ShelfStyle, _ count: Int
  ) async throws {
    let shelf = Shelf(count: count)
    let (server, url) = try serve(style, shelf)
    let result = try await QuireProcess.run(["crawl", url, "--stats"] + style.options)
    expectWhole(result, shelf)
    #expect(result.errors.contains(#""rows":\#(count),"#))
    #expect(result.errors.contains(#""duplicates":0,"#), "\(result.errors)")
    withExtendedLifetime(server) {}
  }

  @Test(arguments: ShelfStyle.all.filter(\.isRecognized))
  func `a common server needs no option, and what is explained does the same`(
    _ style: ShelfStyle
  ) async throws {
    let shelf = Shelf(count: 75)
    let (server, url) = try serve(style, shelf)
    let result = try await QuireProcess.run("crawl", url, "--explain")
    expectWhole(result, shelf)
    let line = try #require(result.errors.split(separator: "\n").first { $0.hasPrefix("same:") })
    let words = line.dropFirst("same:".count).split(separator: " ").map {
      String($0.filter { $0 != "'" })
    }
    expectWhole(try await QuireProcess.run(["crawl", url] + words), shelf)
    withExtendedLifetime(server) {}
  }

  @Test(arguments: ShelfStyle.all.filter { $0.options.contains("--total") })
  func `pages that are asked for at once come in order`(_ style: ShelfStyle) async throws {
    let shelf = Shelf(count: 215)
    let (server, url) = try serve(style, shelf)
    let result = try await QuireProcess.run(
      ["crawl", url, "--parallel", "4"] + style.options)
    expectWhole(result, shelf)
    #expect(server.requestCount <= shelf.pageCount + 1)
  }

  @Test func `an address of the next page counts from the base that was named`() async throws {
    let shelf = Shelf(count: 50)
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      guard number == 1 || request.path == "/api/v2/rows" else { return .status(404) }
      let next = number < 3 ? "\"rows?page=\(number + 1)\"" : "null"
      return shelf.page(number: number, #""next":\#(next)"#)
    }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL + "/first", "--next", "next", "--next-base",
      server.baseURL + "/api/v2/")
    expectWhole(result, shelf)
  }

  @Test func `rows may be plain texts, and those that come again are dropped`() async throws {
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

  @Test func `two different rows with one id in a page are no duplicates`() async throws {
    let server = try LoopbackServer { request in
      request.number("page") == 2
        ? .json(#"{"data":[{"id":1,"n":3},{"id":1,"n":4}],"page":2,"total_pages":2}"#)
        : .json(#"{"data":[{"id":1,"n":1},{"id":2,"n":2}],"page":1,"total_pages":2}"#)
    }
    let result = try await QuireProcess.run("crawl", server.baseURL)
    #expect(result.output.split(separator: "\n").count == 4)
  }

  @Test func `selected members of the rows that a filter lets through make a table`() async throws {
    let (server, url) = try serve(ShelfStyle.all[0], Shelf(count: 45))
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
