import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// The messages of a crawl: what failed, what was left out, and which options can help.
@Suite(.timeLimit(.minutes(2))) struct CrawlMessageTests {
  @Test func `a failure names the options that can help`() async throws {
    let server = try LoopbackServer { _ in .status(429).with("Retry-After", "3600") }
    let limited = try await QuireProcess.run("crawl", server.baseURL)
    #expect(limited.status == 2)
    #expect(limited.errors.contains("asked to wait 60 min, until "))
    server.enqueue(.status(401))
    let denied = try await QuireProcess.run("crawl", server.baseURL)
    #expect(denied.errors.contains("sign in with --token-env NAME or --header @FILE"))
    #expect(!(limited.errors + denied.errors).contains("responseBody"))
  }

  @Test func `a response body can't control the terminal`() async throws {
    let server = try LoopbackServer { _ in
      var response = LoopbackResponse.json("\u{1B}]0;owned\u{7} \u{9B}31m")
      response.status = 500
      return response
    }
    let errors = try await QuireProcess.run("crawl", server.baseURL).errors
    #expect(
      errors.contains("responded with 500: ]0;owned 31m") && !errors.contains("\u{1B}"), "\(errors)"
    )
  }

  @Test func `a missing cursor and a header that is not JSON are reported`() async throws {
    let server = try LoopbackServer { _ in
      ServedRows(count: 20).page(number: 1).with("X-Page", "{oops")
    }
    let missing = try await QuireProcess.run("crawl", server.baseURL, "--cursor", "header:X-Next")
    #expect(missing.status == 0)
    #expect(missing.errors.contains("--cursor: the response has no header X-Next, so this is"))
    let broken = try await QuireProcess.run(
      "crawl", server.baseURL, "--cursor", "header:X-Page#next")
    #expect(broken.status == 1 && broken.output == "")
    #expect(
      broken.errors.contains(
        "--cursor: the response has no JSON in the header X-Page; it is “{oops”"))
  }

  @Test func `an undetected paging is not explained, and a failed trial counts as no page`()
    async throws
  {
    let server = try LoopbackServer { _ in ServedRows(count: 20).page(number: 1) }
    let result = try await QuireProcess.run("crawl", server.baseURL, "--explain", "--stats")
    #expect(result.status == 3)
    #expect(
      result.errors.contains("paging:  not detected\n") && !result.errors.contains("options:"))
    #expect(
      result.errors.contains("tried:   page=1: the same page again\n")
        && result.errors.contains("tried:   offset=19: the same page again\n"))
    #expect(result.errors.contains(#""rows":20,"pages":1,"#), "\(result.errors)")
  }

  @Test func `members without a column are reported at the end`() async throws {
    let server = try LoopbackServer { request in
      request.number("page") == 2
        ? .json(#"{"data":[{"id":2,"b":1}],"page":2,"total_pages":2}"#)
        : .json(#"{"data":[{"id":1,"a":1}],"page":1,"total_pages":2}"#)
    }
    let table = try await QuireProcess.run("crawl", server.baseURL, "--format", "table")
    #expect(table.status == 0 && table.errors.contains("left out: b; name the columns"))
    let csv = ["crawl", server.baseURL, "--format", "csv"]
    for options in [[], ["--quiet"]] {
      let result = try await QuireProcess.run(csv + options)
      #expect(result.status == 3 && result.output == "id,a\n1,1\n2,\n")
      #expect(
        result.errors.hasSuffix(
          "left out: b; name the columns with --select, as in --select id,a,b\n"),
        "\(result.errors)")
    }
    let named = try await QuireProcess.run(csv + ["--select", "id,a,b"])
    #expect(named.status == 0 && named.output == "id,a,b\n1,1,\n2,,1\n")
  }

  @Test func `a resumed crawl remembers the members without a column`() async throws {
    let server = try LoopbackServer { request in
      switch request.number("page") {
      case 2: .json(#"{"data":[{"id":2,"b":1}],"page":2,"total_pages":3}"#)
      case 3: .json(#"{"data":[{"id":3,"c":1}],"page":3,"total_pages":3}"#)
      default: .json(#"{"data":[{"id":1,"a":1}],"page":1,"total_pages":3}"#)
      }
    }
    let folder = try TemporaryFolder()
    let words = ["crawl", server.baseURL, "--format", "csv", "--resume", folder.file("state")]
    let first = try await QuireProcess(
      words + ["--max-pages", "2"], appendingTo: folder.file("rows")
    ).end()
    #expect(first.status == 3 && first.errors.contains("left out: b;"), "\(first.errors)")
    for _ in 0..<2 {
      let last = try await QuireProcess(words, appendingTo: folder.file("rows")).end()
      #expect(last.status == 3 && last.output == "id,a\n1,1\n2,\n3,\n", "\(last.errors)")
      if last.errors.contains("nothing to do") { continue }
      #expect(last.errors.contains("left out: b, c; name"), "\(last.errors)")
    }
  }
}
