import Foundation
import QuireTesting
import Testing

/// What a crawl does to an output that has more than its own rows.
@Suite(.timeLimit(.minutes(3))) struct ResumedOutputTests {
  private static let served = ServedRows(count: 100)
  private let folder: TemporaryFolder
  private let server: LoopbackServer
  private let arguments: [String]

  init() throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer { Self.served.page(number: $0.number("page") ?? 1) }
    arguments = [
      "crawl", server.baseURL, "--paging", "page", "--resume", folder.file("state"),
    ]
  }

  private func crawl(_ options: [String] = []) async throws -> QuireProcess.Result {
    try await QuireProcess(arguments + options, appendingTo: folder.file("rows")).end()
  }

  private func write(_ text: String, to name: String) throws {
    try text.write(toFile: folder.file(name), atomically: false, encoding: .utf8)
  }

  private func append(_ text: String) throws {
    let handle = try #require(FileHandle(forWritingAtPath: folder.file("rows")))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  /// Removes the record of the end, as if the run had been killed after its last page.
  private func forgetEnd() throws {
    let lines = folder.text("state").split(separator: "\n")
    #expect(lines.last?.hasPrefix("{\"end\":") == true)
    try write(lines.dropLast().joined(separator: "\n") + "\n", to: "state")
  }

  @Test(arguments: 0..<6)
  func `rows of the page in flight are written once, however many there are`(
    _ cut: Int
  ) async throws {
    #expect(try await crawl(["--max-pages", "4"]).status == 3)
    try forgetEnd()
    #expect(truncate(folder.file("rows"), folder.text("rows").utf8.count - 103 * cut) == 0)
    let result = try await crawl()
    #expect(result.status == 0, "\(result.errors)")
    #expect(ids(folder.text("rows")) == Self.served.ids)
  }

  @Test func `what others append after a run that ended is kept`() async throws {
    for options in [["--max-pages", "2"], ["--max-items", "50"], []] {
      _ = try await crawl(options)
      try append("a note\n")
    }
    #expect(try await crawl().status == 0)
    let lines = folder.text("rows").split(separator: "\n")
    #expect(lines.count { $0 == "a note" } == 3)
    #expect(ids(lines.filter { $0 != "a note" }.joined(separator: "\n")) == Self.served.ids)
  }

  @Test func `what others append after a kill is never cut`() async throws {
    #expect(try await crawl(["--max-pages", "4"]).status == 3)
    try forgetEnd()
    let own = folder.text("rows").utf8.count
    for text in ["a note\n", Array(repeating: "another note\n", count: 500).joined()] {
      try append(text)
      let before = (folder.text("rows"), folder.text("state"), server.requestCount)
      let result = try await crawl()
      #expect(result.status == 1)
      #expect(
        result.errors.contains("the output has \(before.0.utf8.count) bytes")
          && result.errors.contains("at most \(own) of them; nothing was cut"), "\(result.errors)")
      #expect((folder.text("rows"), folder.text("state"), server.requestCount) == before)
    }
  }

  @Test func `nothing is cut if the server can't be reached`() async throws {
    #expect(try await crawl(["--max-pages", "4"]).status == 3)
    try forgetEnd()
    #expect(truncate(folder.file("rows"), folder.text("rows").utf8.count - 103) == 0)
    let before = (folder.text("rows"), folder.text("state"))
    server.enqueue(.status(500))
    #expect(try await crawl(["--retries", "0"]).status == 2)
    #expect((folder.text("rows"), folder.text("state")) == before)
    #expect(try await crawl().status == 0)
    #expect(ids(folder.text("rows")) == Self.served.ids)
  }

  @Test func `an output with fewer bytes than recorded is refused after any end`() async throws {
    #expect(try await crawl().status == 0)
    #expect(try await crawl().errors.contains("nothing to do"))
    let size = folder.text("rows").utf8.count
    #expect(truncate(folder.file("rows"), 10) == 0)
    let result = try await crawl()
    #expect(result.status == 1)
    #expect(
      result.errors.contains("the output has 10 bytes, but the crawl has written \(size)"),
      "\(result.errors)")
  }

  @Test(arguments: [false, true])
  func `two crawls never write to one output`(sharesDescription: Bool) async throws {
    let gate = try LoopbackGate()
    let held = try LoopbackServer { _ in Self.served.page(number: 1).held(by: gate) }
    let first = try QuireProcess(["crawl", held.baseURL], appendingTo: folder.file("rows"))
    await gate.reached()
    let second = try await QuireProcess(
      ["crawl", server.baseURL], appendingTo: folder.file("rows")
    ).end()
    #expect(second.status == 1)
    #expect(
      second.errors.contains("another crawl is writing to the output; wait until it has ended"),
      "\(second.errors)")
    first.send(SIGKILL)
    _ = await first.end()
    gate.open()
    #expect(try await crawl().status == 0)
    guard sharesDescription else { return }
    // Both processes of a shell have one description of the file.
    let path = try QuireProcess.executable.path
    let both = Process()
    both.executableURL = URL(fileURLWithPath: "/bin/sh")
    both.arguments = [
      "-c",
      "{ '\(path)' crawl '\(held.baseURL)' & '\(path)' crawl '\(held.baseURL)'; wait; } >> '\(folder.file("shared"))' 2> '\(folder.file("errors"))'",
    ]
    try both.run()
    both.waitUntilExit()
    let rows = folder.text("shared").split(separator: "\n").count
    #expect(folder.text("errors").contains("another crawl is writing") == (rows == 20))
  }

  // MARK: - Pipes

  /// Starts a crawl into a pipe.
  private func start(_ words: [String], _ output: Pipe) throws -> Process {
    let process = Process()
    process.executableURL = try QuireProcess.executable
    process.arguments = words
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try output.fileHandleForWriting.close()
    return process
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `the first signal ends a crawl whose reader reads nothing`(_ signal: Int32) async throws {
    let row = "{\"id\":1,\"text\":\"\(String(repeating: "x", count: 200_000))\"}"
    let large = try LoopbackServer { _ in .json("[\(row)]") }
    let output = Pipe()
    let process = try start(["crawl", large.baseURL, "--paging", "none"], output)
    // The pipe is full once its first bytes can be read, or soon after.
    var request = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: 1, revents: 0)
    #expect(poll(&request, 1, 60_000) == 1)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
  }

  @Test func `rows that the reader of a pipe has not read are written again`() async throws {
    let output = Pipe()
    let process = try start(arguments, output)
    // Reads the first rows, and leaves the others in the pipe.
    let handle = output.fileHandleForReading
    var text = try #require(try handle.read(upToCount: 100))
    _ = try await server.request(at: 5)
    try handle.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 3)
    let rest = try await QuireProcess.run(arguments)
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(ids(rest.output) == Self.served.ids)
    text.removeAll()
  }

  // MARK: - Requests

  @Test(arguments: PagingStyle.all.filter(\.isDetected))
  func `a crawl that continues requests no page to see how the server pages`(
    _ style: PagingStyle
  ) async throws {
    let server = try LoopbackServer { [serve = style.serve] in serve($0, Self.served) }
    let folder = try TemporaryFolder()
    let words = ["crawl", server.baseURL + style.path, "--resume", folder.file("state")]
    let first = try await QuireProcess(
      words + ["--max-pages", "3"], appendingTo: folder.file("rows")
    ).end()
    #expect(first.status == 3, "\(first.errors)")
    let before = server.requestCount
    let known = Set(server.requests.map(\.target))
    let rest = try await QuireProcess(words, appendingTo: folder.file("rows")).end()
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(ids(folder.text("rows")) == Self.served.ids)
    let again = server.requests.dropFirst(before).map(\.target).filter(known.contains)
    #expect(again.isEmpty, "\(again)")
  }
}
