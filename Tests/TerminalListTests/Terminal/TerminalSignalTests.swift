import Foundation
import Testing

@testable import TerminalList

/// Signals on one thread while another one uses the terminal.
@Suite(
  .serialized, .timeLimit(.minutes(2)),
  .disabled(if: ProcessInfo.processInfo.environment["QUIRE_SANITIZED"] == "1"))
struct TerminalSignalTests {
  @Test func `a signal while a slow terminal resumes restores it`() async throws {
    let pty = try PseudoTerminal(ScreenSize(columns: 40, rows: 5))
    let before = pty.mode
    let path = String(cString: ttyname(pty.slave))
    let program = Task {
      await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
        try await Self.takeTerminal(at: path)
      }
    }
    #expect(await pty.shows("process "))
    let line = pty.screen.lines.first { $0.contains("process ") } ?? ""
    let process = try #require(line.split(separator: " ").last.flatMap { pid_t($0) })
    pty.stall()
    kill(process, SIGTSTP)
    var info = siginfo_t()
    #expect(waitid(P_PID, id_t(process), &info, WSTOPPED | WNOWAIT) == 0)
    #expect(pty.mode == before)
    kill(process, SIGCONT)
    await pty.becomesRaw(from: before)
    kill(process, SIGTERM)
    _ = await program.value
    #expect(pty.mode == before)
  }

  /// Shows a number in the terminal, with threads that can receive signals.
  @MainActor private static func takeTerminal(at path: String) async throws {
    let end = open(path, O_RDWR | O_NOCTTY)
    let terminal = Terminal(input: end, output: end, environment: ["TERM": "xterm"])
    let events = try terminal.open()
    for _ in 0..<2 {
      Thread {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        while true { pause() }
      }.start()
    }
    await terminal.write(Array("process \(getpid())".utf8))
    for await _ in events {}
  }
}
