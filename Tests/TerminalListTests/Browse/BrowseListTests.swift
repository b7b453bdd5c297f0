import Foundation
import QuireTesting
import Testing

@testable import TerminalList

/// Lists that are described to `quire browse`, in a pseudo-terminal.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BrowseListTests {
  private let pty: PseudoTerminal
  private let process = Process()

  init() throws {
    pty = try PseudoTerminal(ScreenSize(columns: 70, rows: 9))
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("quire")
    let end = FileHandle(fileDescriptor: pty.slave)
    (process.standardInput, process.standardOutput) = (end, end)
    process.environment = ProcessInfo.processInfo.environment.merging([
      "SWIFT_BACKTRACE": "enable=no", "TERM": "xterm", "NO_COLOR": "1",
    ]) { $1 }
  }

  private func open(_ arguments: [String]) throws {
    process.arguments = ["browse"] + arguments
    try process.run()
  }

  private func quit() {
    pty.type("q")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// Ten rows per page after the posted cursor, each with no id but its `sku`.
  private static func page(_ request: LoopbackRequest) -> LoopbackResponse {
    struct Wish: Decodable { var start: Int? }
    guard request.method == "POST",
      let wish = try? JSONDecoder().decode(Wish.self, from: Data(request.body))
    else { return .status(400) }
    let start = wish.start ?? 0
    let rows = (start..<start + 10).map {
      #"{"sku": "s\#($0)", "big": 1234567890123456789012\#($0), "n": \#($0)}"#
    }
    let next = start < 20 ? "\(start + 10)" : "null"
    return .json(#"{"a": {"rows": [\#(rows.joined(separator: ","))]}, "b": [1], "next": \#(next)}"#)
  }

  @Test func `a list described by options is read to its end`() async throws {
    let server = try LoopbackServer(Self.page)
    try open([
      "\(server.baseURL)/scan", "--body", "{}", "--items", "a.rows", "--cursor", "next",
      "--cursor-into", "body:start", "--id", "sku", "--title", "sku", "--where", "@.n != 1",
    ])
    #expect(await pty.shows { $0.lines[1].contains("s0") && $0.lines[2].contains("s2") })
    pty.type("G")
    #expect(await pty.shows(" of 29"))
    pty.type("G")
    #expect(await pty.shows("row 29 of 29"))
    pty.type("\r")
    #expect(await pty.shows(#""big": 123456789012345678901229"#))
    pty.type("q")
    #expect(await pty.shows("row 29 of 29"))
    quit()
    let last = try await server.request(at: 2)
    #expect(String(decoding: last.body, as: UTF8.self) == #"{"start":20}"#)
  }

  @Test func `stored rows are shown without the server`() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/quire-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try LoopbackServer { _ in
      .json(#"[{"id": 1, "name": "kept"}]"#).with("Cache-Control", "max-age=600")
    }
    let words = ["\(server.baseURL)/rows", "--paging", "none", "--cache", folder]
    try open(words)
    #expect(await pty.shows("kept"))
    quit()
    let again = try BrowseListTests()
    try again.open(words + ["--offline"])
    #expect(await again.pty.shows("kept"))
    again.quit()
    #expect(server.requestCount == 1)
  }

  @Test func `help and invalid arguments need no terminal`() throws {
    for (words, status, text) in [
      (["--help"], 0, "--cursor-into PLACE"), (["x", "--cursr", "a"], 1, "did you mean --cursor?"),
    ] as [([String], Int32, String)] {
      let (process, output) = (Process(), Pipe())
      process.executableURL = self.process.executableURL
      process.arguments = ["browse"] + words
      (process.standardOutput, process.standardError) = (output, output)
      try process.run()
      let printed = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == status && printed.contains(text), "\(printed)")
    }
  }
}
