import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// The last line of a crawl that was stopped: what was written, and how to go on.
@Suite(.timeLimit(.minutes(2))) struct StopNoteTests {
  @Test(arguments: [
    (
      StopNote(cause: .limit("--max-items"), rows: 1, target: "standard output"),
      "stopped by --max-items: 1 row was written to standard output;"
        + " a crawl with --resume FILE can be continued"
    ),
    (
      StopNote(
        cause: .interrupt, rows: 0, rowsBefore: 40, target: "/tmp/rows", resumeFile: "my state"),
      "interrupted: 0 rows were written to /tmp/rows, after 40 of earlier runs;"
        + " to continue, run the same command again, with --resume 'my state'"
    ),
    (
      StopNote(cause: .failure, rows: 2, target: "standard output", format: .json),
      "stopped by the error: 2 rows were written to standard output;"
        + " a crawl with --resume FILE and --format ndjson or csv can be continued"
    ), (StopNote(cause: .failure, rows: 0, target: "standard output"), nil),
  ])
  func `a note says what was written, where, and how to go on`(_ note: StopNote, _ text: String?) {
    #expect(note.text == text)
  }

  @Test func `the last line of a limited crawl names the file and --resume`() async throws {
    let served = ServedRows(count: 100)
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      return served.page(number: number, #""page":\#(number),"total_pages":5"#)
    }
    let folder = try TemporaryFolder()
    let words = ["crawl", server.baseURL, "--resume", folder.file("state")]
    func run(_ options: [String]) async throws -> QuireProcess.Result {
      try await QuireProcess(words + options, appendingTo: folder.file("rows")).end()
    }
    let first = try await run(["--max-items", "30"])
    let next = "to continue, run the same command again, with --resume \(folder.file("state"))\n"
    #expect(
      first.errors == "quire crawl: stopped by --max-items: 30 rows were written to "
        + "\(folder.file("rows")); \(next)")
    let second = try await run(["--max-pages", "1"])
    #expect(second.errors.contains("stopped by --max-pages: "), "\(second.errors)")
    #expect(second.errors.contains("after 30 of earlier runs; \(next)"), "\(second.errors)")
    #expect(try await run(["--max-items", "1", "--quiet"]).errors == "")
    let last = try await run(["--max-items", "100"])
    #expect(last.status == 0 && last.errors == "" && ids(last.output) == served.ids)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `the last line of an interrupted crawl says what was written`(signal: Int32) async throws {
    let gate = try LoopbackGate()
    let served = ServedRows(count: 100)
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let page = served.page(number: number, #""page":\#(number),"total_pages":5"#)
      return number == 3 ? page.held(by: gate) : page
    }
    let process = try QuireProcess(["crawl", server.baseURL])
    await gate.reached(1)
    process.send(signal)
    let result = await process.end()
    gate.open()
    #expect(result.status == 130)
    #expect(
      result.errors.hasPrefix("quire crawl: interrupted: 40 rows were written to ")
        && result.errors.hasSuffix("; a crawl with --resume FILE can be continued\n"),
      "\(result.errors)")
  }
}
