import Foundation
import QuireTesting
import TestSupport
import Testing

/// Rows that a server sends in parts, and pages that it may mean for another request.
@Suite(.timeLimit(.minutes(2))) struct CrawlMergeTests {
  /// Two batches of two rows: first their titles, then their sizes. The second response of a batch is its last.
  private func partialRows(endsBatch: Bool = true) throws -> LoopbackServer {
    try LoopbackServer { request in
      let part = request.number("cursor") ?? 0
      let ids = [part / 2 * 2 + 1, part / 2 * 2 + 2]
      let rows = ids.map {
        part % 2 == 0 ? #"{"id":\#($0),"title":"t\#($0)"}"# : #"{"id":\#($0),"size":\#($0)}"#
      }
      let done = part == 1 || part == 3 && endsBatch ? #","batch":{"done":true}"# : ""
      let next = part < 3 ? "\(part + 1)" : "null"
      return .json(#"{"rows":[\#(rows.joined(separator: ","))],"next":\#(next)\#(done)}"#)
    }
  }

  private func crawl(_ server: LoopbackServer, _ options: String...) async throws
    -> QuireProcess.Result
  {
    try await QuireProcess.run(
      ["crawl", server.baseURL + "/rows", "--cursor", "next", "--items", "rows"] + options)
  }

  private static let merged = (1...4).map { #"{"id":\#($0),"title":"t\#($0)","size":\#($0)}"# }

  @Test func `parts of a row are written as one row`() async throws {
    let server = try partialRows()
    let result = try await crawl(server, "--merge", "batch.done")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.split(separator: "\n").map(String.init) == Self.merged)
    #expect(server.requestCount == 4)
  }

  @Test func `a list that ends within a batch is incomplete, with all its rows`() async throws {
    let result = try await crawl(try partialRows(endsBatch: false), "--merge", "batch.done")
    #expect(result.status == 3)
    #expect(result.output.split(separator: "\n").map(String.init) == Self.merged)
    #expect(result.errors.contains("batch"), "\(result.errors)")
  }

  @Test(arguments: [
    (["--merge", "batch.done", "--id", "none"], "--merge"),
    (["--merge", "batch.done", "--parallel", "2"], "the parts of a row come in order"),
    (["--merge", "$["], "--merge"),
  ])
  func `a merge that can't be done is refused before the first request`(
    options: [String], reason: String
  ) async throws {
    let server = try partialRows()
    let result = try await QuireProcess.run(
      ["crawl", server.baseURL + "/rows", "--cursor", "next"] + options)
    #expect(result.status == 1 && result.errors.contains(reason), "\(result.errors)")
    #expect(server.requestCount == 0)
  }

  @Test func `parts of rows without ids are an error that names the option`() async throws {
    let server = try LoopbackServer { _ in .json(#"{"rows":[{"a":1},{"a":1}],"next":"x"}"#) }
    let result = try await crawl(server, "--merge", "batch.done")
    #expect(result.status != 0 && result.output.isEmpty)
    #expect(result.errors.contains("--id"), "\(result.errors)")
  }

  @Test func `a page that lacks all facts is requested again on another connection`() async throws {
    let rows = ServedRows(count: 60)
    let served = ResponseCounter()
    let server = try LoopbackServer { request in
      let page = request.number("page") ?? 1
      guard page == 2, served.next() == 0 else {
        return rows.page(number: page, #""page":\#(page),"total":60"#)
      }
      return .json(#"{"rows":[{"id":777}]}"#)
    }
    let result = try await QuireProcess.run(["crawl", server.baseURL + "/rows"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(ids(result.output) == rows.ids)
    var pages: [Int: Int] = [:]
    for index in 0..<server.requestCount {
      let request = try await server.request(at: index)
      guard let page = request.number("page") else { continue }
      if let first = pages[page] { #expect(first != request.connection, "page \(page)") }
      pages[page] = request.connection
    }
    #expect(server.requestCount == 4)
  }
}
