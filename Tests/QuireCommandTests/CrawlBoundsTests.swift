import Foundation
import QuireTesting
import Testing

/// What a server can cost a crawl at most.
@Suite(.timeLimit(.minutes(5))) struct CrawlBoundsTests {
  private static let rows = ServedRows(count: 40)

  /// A list with empty pages between its two pages with rows, each with a cursor of its own.
  private func server(emptyPages: Int) throws -> LoopbackServer {
    try LoopbackServer { request in
      let number = request.query("cursor").flatMap { Int($0) } ?? 0
      let isLast = number == emptyPages + 1
      let page = number == 0 ? 1 : isLast ? 2 : 9
      return Self.rows.page(
        number: page, isLast ? #""next":null"# : #""next":"\#(number + 1)""#)
    }
  }

  @Test func `a list of empty pages ends`() async throws {
    let endless = try server(emptyPages: 1_000_000)
    let result = try await QuireProcess.run("crawl", endless.baseURL, "--cursor", "next")
    #expect(result.status == 3, "\(result.errors)")
    #expect(
      result.errors.contains(
        "21 pages in a row without a new row; check the paging, or raise --max-empty"),
      "\(result.errors)")
    #expect(endless.requestCount < 30)
    let few = try server(emptyPages: 20)
    let whole = try await QuireProcess.run("crawl", few.baseURL, "--cursor", "next")
    #expect(whole.status == 0 && ids(whole.output) == Self.rows.ids, "\(whole.errors)")
    let many = try server(emptyPages: 60)
    let allowed = try await QuireProcess.run(
      "crawl", many.baseURL, "--cursor", "next", "--max-empty", "60")
    #expect(allowed.status == 0 && ids(allowed.output) == Self.rows.ids, "\(allowed.errors)")
  }

  @Test func `a list may begin with as many empty pages as it may have`() async throws {
    let server = try LoopbackServer { request in
      let number = request.query("cursor").flatMap { Int($0) } ?? 0
      let isLast = number == 20
      return Self.rows.page(
        number: isLast ? 1 : 9, isLast ? #""next":null"# : #""next":"\#(number + 1)""#)
    }
    let result = try await QuireProcess.run("crawl", server.baseURL, "--cursor", "next")
    #expect(
      result.status == 0 && result.output.split(separator: "\n").count == 20, "\(result.errors)")
    let few = try await QuireProcess.run(
      "crawl", server.baseURL, "--cursor", "next", "--max-empty", "19")
    #expect(few.status == 3 && few.errors.contains("20 pages in a row"), "\(few.errors)")
  }

  @Test func `the error of a page that takes too much memory names its request`() async throws {
    let server = try LoopbackServer { _ in
      .json(#"{"rows":["# + String(repeating: "1,", count: 12 << 20) + "1]}")
    }
    let result = try await QuireProcess.run("crawl", server.baseURL, "--body", "{}")
    #expect(result.status == 2)
    #expect(
      result.errors.contains("can't load page 1 (POST \(server.baseURL)/): "), "\(result.errors)")
  }

  @Test func `an endless body, a bomb and values without end stay within the memory`() async throws {
    let values = [UInt8]((#"{"rows":["# + String(repeating: "1,", count: 12 << 20) + "1]}").utf8)
    let bodies: [(LoopbackResponse, String)] = [
      (.filler(count: 1 << 30).untilClose(), "--max-memory"),
      (.bomb(decodedBytes: 3 << 30), "--max-memory"),
      (
        .bytes(values, type: "application/json"),
        "when parsed, but all responses in flight together may take"
      ),
    ]
    for (body, words) in bodies {
      let server = try LoopbackServer { _ in body }
      let (result, peak) = try await QuireProcess.measure([
        "crawl", server.baseURL, "--retries", "0",
      ])
      #expect(result.status == 2)
      #expect(
        result.errors.contains(words) || result.errors.contains("times its size"),
        "\(result.errors)")
      #expect(QuireProcess.isSanitized || peak < 150 << 20, "\(peak) bytes")
    }
  }

  @Test func `pages of many values in flight stay within the memory`() async throws {
    let values = String(repeating: "1,", count: 2 << 20)
    let server = try LoopbackServer { request in
      let page = request.number("page") ?? 1
      return .json(#"{"rows":[\#(page > 4 ? "" : values + "1")],"page":\#(page),"total_pages":4}"#)
    }
    let (result, peak) = try await QuireProcess.measure(
      [
        "crawl", server.baseURL, "--paging", "page", "--pages", "total_pages", "--id", "none",
        "--parallel", "8",
      ])
    #expect(result.status == 0, "\(result.errors)")
    let bytesOfPage = values.utf8.count + 2
    #expect(result.output.utf8.count == 4 * bytesOfPage)
    #expect(QuireProcess.isSanitized || peak < 150 << 20, "\(peak) bytes")
  }

  @Test func `a large page goes through with the option`() async throws {
    let text = String(repeating: "x", count: 3 << 20)
    let server = try LoopbackServer { _ in
      .json(#"{"rows":[{"id":1,"text":"\#(text)"},{"id":2,"text":"\#(text)"}]}"#)
    }
    let words = ["crawl", server.baseURL, "--paging", "none"]
    let refused = try await QuireProcess.run(words + ["--max-memory", "4M"])
    #expect(refused.status == 2)
    #expect(refused.errors.contains("raise --max-memory"), "\(refused.errors)")
    let result = try await QuireProcess.run(words)
    #expect(result.status == 0 && result.output.utf8.count > 6 << 20, "\(result.errors)")
  }

  @Test func `pages in flight that are too large together are read one after the other`()
    async throws
  {
    let text = String(repeating: "x", count: 60_000)
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let rows = ((number - 1) * 20..<number * 20).map { #"{"id":\#($0),"text":"\#(text)"}"# }
      return .json(
        #"{"rows":[\#(rows.joined(separator: ","))],"page":\#(number),"total_pages":8,"total":160}"#
      )
    }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--parallel", "8", "--max-memory", "6M")
    #expect(result.status == 0 && ids(result.output) == Array(0..<160), "\(result.errors)")
  }

  @Test func `the body of an error is cut, and interim responses are skipped`() async throws {
    var endless = LoopbackResponse.filler(count: 1 << 30)
    endless.status = 404
    let server = try LoopbackServer { [endless] _ in endless }
    let result = try await QuireProcess.run("crawl", server.baseURL)
    #expect(result.status == 2 && result.errors.contains("responded with 404"), "\(result.errors)")
    var hinted = Self.rows.page(0..<40, #""next":null"#)
    for _ in 0..<200 { hinted = hinted.after(103, [LoopbackHeader("Link", "</style.css>")]) }
    let early = try LoopbackServer { [hinted] _ in hinted }
    let whole = try await QuireProcess.run("crawl", early.baseURL, "--cursor", "next")
    #expect(whole.status == 0 && ids(whole.output) == Self.rows.ids, "\(whole.errors)")
  }

  @Test func `a filter that takes longer than a page may take ends the crawl`() async throws {
    let rows = (0..<200_000).map { #"{"id":\#($0),"text":"aaaaaaaaaaaaaaaaaaaaaaaa"}"# }
    let body = #"{"rows":[\#(rows.joined(separator: ","))]}"#
    let server = try LoopbackServer { _ in .json(body) }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--paging", "none", "--max-memory", "1G", "--timeout", "0.05",
      "--where",
      "search(@.text, '(a|b|ab)*(a|c)*(a|d)*(a|e)*z')")
    #expect(result.status == 2, "\(result.errors)")
    #expect(result.output.isEmpty)
  }
}
