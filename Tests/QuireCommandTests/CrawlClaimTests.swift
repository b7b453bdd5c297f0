import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// What a crawl says of its rows, and the status that follows from it.
@Suite(.timeLimit(.minutes(2))) struct CrawlClaimTests {
  @Test func `the statistics say how sure the crawl is of its rows`() async throws {
    let server = try LoopbackServer { request in
      request.query("cursor") == nil
        ? .json(#"{"data":[{"id":1},{"id":2}],"next":"k2k"}"#)
        : .json(#"{"data":[{"id":3}],"next":null}"#)
    }
    func crawl(_ options: String...) async throws -> QuireProcess.Result {
      try await QuireProcess.run(
        ["crawl", server.baseURL, "--cursor", "next", "--stats"] + options)
    }
    let whole = try await crawl()
    #expect(
      whole.errors.contains(#""consistency":"whole","may_lack":null,"seams":{"chained":1}"#),
      "\(whole.errors)")
    let doubted = try await crawl("--distrust", "ids,cursors")
    #expect(doubted.status == 0 && doubted.errors.contains(#""consistency":"unproven""#))
    let unknown = try await crawl("--distrust", "cursor")
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("found “cursor”; did you mean cursors?"), "\(unknown.errors)")
    let shown = try await crawl("--progress", "always")
    #expect(shown.errors.contains("complete: no row that stayed in the list is missing, provided"))
  }

  @Test func `a crawl fails where less is known of its rows than was asked for`() async throws {
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let rows = (0..<45).dropFirst((number - 1) * ServedRows.size).prefix(ServedRows.size)
      return ServedRows(count: 45).page(rows, #""page":\#(number),"total_pages":3,"total":45"#)
    }
    let folder = try TemporaryFolder()
    let file = folder.file("state")
    func crawl(_ options: String...) async throws -> QuireProcess.Result {
      try await QuireProcess(
        ["crawl", server.baseURL, "--stats"] + options, appendingTo: folder.file("\(UUID())")
      ).end()
    }
    let whole = try await crawl("--consistency", "whole")
    #expect(whole.status == 3 && ids(whole.output) == ServedRows(count: 45).ids)
    #expect(whole.errors.contains("the list is not known to be whole: "), "\(whole.errors)")
    #expect(
      whole.errors.contains(
        "; --consistency whole needs --size with numbered pages, to request them in other sizes that"
          + " overlap: use --paging page --pages total_pages --total total --size 20, and --size-param"
      ),
      "\(whole.errors)")
    let exact = try await crawl("--consistency", "exact", "--resume", file)
    #expect(exact.status == 0 && ids(exact.output) == ServedRows(count: 45).ids, "\(exact.errors)")
    #expect(exact.errors.contains(#""consistency":"exact""#), "\(exact.errors)")
    let again = try await crawl("--consistency", "exact", "--resume", file)
    #expect(again.status == 0 && again.errors.contains("nothing to do"), "\(again.errors)")
    for (options, problem) in [
      (["--consistency", "whole", "--id", "none"], "rows are compared by their ids"),
      (["--consistency", "exact", "--distrust", "absence"], "that claim rests on it"),
      (["--consistency", "whole", "--distrust", "order"], "that claim rests on it"),
    ] {
      let result = try await QuireProcess.run(["crawl", server.baseURL] + options)
      #expect(result.status == 1 && result.errors.contains(problem), "\(result.errors)")
    }
  }

  @Test func `the options that a whole list needs make it whole`() async throws {
    let server = try LoopbackServer { request in
      let (number, size) = (request.number("page") ?? 1, request.number("per_page") ?? 20)
      let rows = (0..<45).dropFirst((number - 1) * size).prefix(size)
      return ServedRows(count: 45).page(
        rows, #""page":\#(number),"total_pages":\#((44 + size) / size),"total":45"#)
    }
    let words = ["crawl", server.baseURL, "--consistency", "whole"]
    let first = try await QuireProcess.run(words + ["--explain"])
    #expect(first.status == 3)
    #expect(
      first.errors.contains("numbered pages overlap with --size N and --consistency whole\n"))
    let advice = try #require(first.errors.split(separator: ": use ").last).prefix { $0 != "," }
    let result = try await QuireProcess.run(words + advice.split(separator: " ").map(String.init))
    #expect(result.status == 0 && ids(result.output) == ServedRows(count: 45).ids, "\(advice)")
  }

  @Test func `rows that move up between pages are read`() async throws {
    // The server removes five rows of the first page after it was read.
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let removed = request.number("page") == nil ? 0 : 5
      let rows = (removed..<60).dropFirst((number - 1) * ServedRows.size).prefix(ServedRows.size)
      return ServedRows(count: 60).page(
        rows, #""page":\#(number),"total_pages":3,"total":\#(60 - removed)"#)
    }
    let result = try await QuireProcess.run("crawl", server.baseURL, "--stats")
    #expect(result.status == 0, "\(result.errors)")
    #expect(ids(result.output) == ServedRows(count: 60).ids)
    #expect(result.errors.contains(#""seams":{"assumed":1,"mended":1}"#), "\(result.errors)")
    let withoutIDs = try await QuireProcess.run("crawl", server.baseURL, "--id", "none")
    #expect(withoutIDs.status == 3)
    #expect(withoutIDs.errors.contains("the total number of rows fell from 60"))
  }

  @Test func `fewer rows than the server counts exit with 3`() async throws {
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let link = number < 3 ? #"</rows?page=\#(number + 1)>; rel="next""# : ""
      return ServedRows(count: 60).page(number: number)
        .with("Link", link).with("X-Total-Count", "500")
    }
    let result = try await QuireProcess.run("crawl", server.baseURL)
    #expect(result.status == 3 && ids(result.output) == ServedRows(count: 60).ids)
    #expect(result.errors.contains("rows are missing"))
    // A total counts wherever it is, also where the paging is named without it.
    #expect(try await QuireProcess.run("crawl", server.baseURL, "--paging", "link").status == 3)
  }

  @Test func `the number of missing rows is printed, if the server tells it`() async throws {
    let server = try LoopbackServer { _ in
      .json(#"{"rows":[{"id":1},{"id":2},{"id":3}],"total":1037,"next":null}"#)
    }
    let run = try await QuireProcess.run("crawl", server.baseURL, "--stats", "--next", "next")
    #expect(run.status == 3)
    #expect(
      run.errors.contains("1,034 of 1,037 rows are missing: the server reported 1,037"),
      "\(run.errors)")
    #expect(run.errors.contains(#""may_lack":1034"#), "\(run.errors)")
  }
}
