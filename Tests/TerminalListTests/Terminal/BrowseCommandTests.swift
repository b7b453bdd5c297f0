import Foundation
import QuireTesting
import Testing

@testable import TerminalList

/// `quire browse` as a separate program, in a pseudo-terminal.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BrowseCommandTests {
  private let pty: PseudoTerminal
  private let server: LoopbackServer
  private let process = Process()

  init() throws {
    pty = try PseudoTerminal(ScreenSize(columns: 60, rows: 9))
    server = try LoopbackServer { request in
      let page = request.query("page").flatMap { Int($0) } ?? 1
      let rows = Array(1...30).dropFirst((page - 1) * 10).prefix(10).map {
        #"{"id": \#($0), "title": "Book \#($0)", "price": {"amount": \#($0)}}"#
      }
      return .json(
        #"{"page": \#(page), "pages": 3, "total": 30, "books": [\#(rows.joined(separator: ","))]}"#)
    }
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("quire")
    let end = FileHandle(fileDescriptor: pty.slave)
    (process.standardInput, process.standardOutput) = (end, end)
    process.environment = ProcessInfo.processInfo.environment.merging([
      "SWIFT_BACKTRACE": "enable=no", "TERM": "xterm", "NO_COLOR": "1",
    ]) { $1 }
  }

  private func open(_ arguments: String...) throws {
    process.arguments = ["browse", "\(server.baseURL)/books"] + arguments
    // Threads of Dispatch block signals, and a program inherits the signal mask of its parent.
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  /// Waits until the program ends, and checks that the terminal is restored.
  private func ends(_ before: [UInt8]) async {
    process.waitUntilExit()
    #expect(await pty.shows { !$0.isAlternate && $0.isCursorShown })
    #expect(pty.mode == before && pty.screen.problems.isEmpty)
  }

  @Test func `the list of an API is found, shown, and read`() async throws {
    let before = pty.mode
    try open("--header", "X-Who: me")
    #expect(await pty.shows("row 1 of 30 · live"))
    #expect(pty.screen.lines[1].trimmingCharacters(in: .whitespaces) == "Book 1  1")
    #expect(pty.mode != before && !pty.screen.usedColor)
    #expect(try await server.request(at: 0).header("X-Who") == "me")
    pty.type("\r")
    #expect(await pty.shows(#""amount": 1"#))
    pty.type("q")
    #expect(await pty.shows("row 1 of"))
    for _ in 0..<3 { pty.type("G") }
    #expect(await pty.shows("row 30 of 30"))
    pty.type("q")
    await ends(before)
    #expect(process.terminationStatus == 0)
  }

  @Test func `options set the places of rows and titles`() async throws {
    let before = pty.mode
    try open("--items", "books", "--title", "price.amount")
    #expect(await pty.shows("row 1 of 30"))
    #expect(pty.screen.lines[3].hasPrefix(" 3             Book 3"))
    pty.type("q")
    await ends(before)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT])
  func `a signal that ends the program restores the terminal`(signal: Int32) async throws {
    let before = pty.mode
    try open()
    #expect(await pty.shows("row 1 of 30"))
    kill(process.processIdentifier, signal)
    await ends(before)
    // A sanitizer handles crashes itself, and then ends the program in its own way.
    guard ProcessInfo.processInfo.environment["QUIRE_SANITIZED"] != "1" else { return }
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
  }

  @Test func `a program ends even if its terminal is blocked`() async throws {
    let before = pty.mode
    try open()
    #expect(await pty.shows("row 1 of 30"))
    pty.stall()
    pty.type("\u{C}")
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(pty.mode == before)
  }

  @Test func `a signal while a slow terminal opens restores it`() async throws {
    let before = pty.mode
    pty.stall()
    try open()
    await pty.becomesRaw(from: before)
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
    #expect(pty.mode == before)
  }

  /// The shell stays in the foreground, so the list waits until it is resumed there.
  @Test func `a program resumed in the background leaves the terminal alone`() async throws {
    let quire = try #require(process.executableURL?.path)
    // When the job stops again, the shell hides the cursor and waits for a line.
    let script = """
      set -m
      '\(quire)' browse \(server.baseURL)/books
      bg
      for i in {1..100}; do [ -n "$(jobs -s)" ] && break; sleep 0.1; done
      printf '\\033[?25l'
      read -r
      fg
      """
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait", "bash", "-c", script]
    process.standardError = process.standardOutput
    try process.run()
    #expect(await pty.shows { $0.isAlternate && $0.lines[1].contains("Book 1") })
    pty.type("\u{1A}")
    #expect(await pty.shows { !$0.isAlternate && !$0.isCursorShown })
    pty.type("\n")
    #expect(await pty.shows { $0.isAlternate && $0.lines[1].contains("Book 1") })
    pty.type("q")
    process.waitUntilExit()
    #expect(await pty.shows { !$0.isAlternate && $0.isCursorShown })
  }

  @Test func `stopping restores the terminal until the program resumes`() async throws {
    let before = pty.mode
    try open()
    #expect(await pty.shows("row 1 of 30"))
    kill(process.processIdentifier, SIGTSTP)
    #expect(await pty.shows { !$0.isAlternate })
    #expect(isStopped())
    #expect(pty.mode == before)
    kill(process.processIdentifier, SIGCONT)
    #expect(await pty.shows { $0.isAlternate && $0.lines[1].contains("Book 1") })
    pty.type("q")
    await ends(before)
  }

  /// Waits until the program is stopped: it restores the mode after it has left the screen.
  private func isStopped() -> Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(process.processIdentifier), &info, WSTOPPED | WNOWAIT) == 0
  }

  @Test func `without a terminal it reports what it needs`() throws {
    let (input, problems) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardError = problems
    try open()
    process.waitUntilExit()
    let text = String(decoding: problems.fileHandleForReading.availableData, as: UTF8.self)
    #expect(
      text.contains("input and output must be a terminal") && process.terminationStatus == 1)
  }
}
