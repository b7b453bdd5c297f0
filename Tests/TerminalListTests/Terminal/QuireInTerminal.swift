import Foundation
import Testing

@testable import TerminalList

/// The `quire` command as a separate program, in a pseudo-terminal.
final class QuireInTerminal {
  let process = Process()
  private let pty: PseudoTerminal
  private let before: [UInt8]

  init(_ pty: PseudoTerminal, _ arguments: [String]) throws {
    (self.pty, before) = (pty, pty.mode)
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("quire")
    process.arguments = arguments
    let end = FileHandle(fileDescriptor: pty.slave)
    (process.standardInput, process.standardOutput) = (end, end)
    process.environment = ProcessInfo.processInfo.environment.merging([
      "SWIFT_BACKTRACE": "enable=no", "TERM": "xterm", "NO_COLOR": "1",
    ]) { $1 }
    try process.run()
  }

  /// Sets the size of the terminal, and signals it to the program.
  func resize(_ size: ScreenSize) {
    pty.resize(size)
    kill(process.processIdentifier, SIGWINCH)
  }

  /// Ends the program, and checks that it wrote only what terminals understand and restored the terminal.
  func quit() async {
    pty.type("q")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(await pty.shows { !$0.isAlternate && $0.isCursorShown })
    #expect(pty.mode == before && pty.screen.problems.isEmpty, "\(pty.screen.problems)")
  }
}
