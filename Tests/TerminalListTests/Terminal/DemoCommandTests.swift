import Foundation
import Testing

@testable import TerminalList

/// `quire demo` as a separate program, with a terminal and without.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DemoCommandTests {
  private let process = Process()

  init() {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("quire")
    process.arguments = ["demo"]
    process.currentDirectoryURL =
      URL(fileURLWithPath: #filePath).appendingPathComponent(
        "../../../.."
      ).standardizedFileURL
  }

  @Test(arguments: [9, 130])
  func `in a terminal a list changes while it is read`(rows: Int) async throws {
    let pty = try PseudoTerminal(ScreenSize(columns: 80, rows: rows))
    let before = pty.mode
    let end = FileHandle(fileDescriptor: pty.slave)
    (process.standardInput, process.standardOutput) = (end, end)
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    try process.run()
    #expect(await pty.shows("480 in total · live"))
    #expect(await pty.shows { $0.lines[1].contains("number 481") })
    // A screen that shows a part of the first page needs no other one.
    let sureness = rows == 9 ? "no row that stayed is missing" : "no sign that rows are missing"
    #expect(await pty.shows("added, 1 removed · 0 found again · \(sureness)"))
    pty.type("q")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(await pty.shows { !$0.isAlternate && $0.isCursorShown } && pty.mode == before)
  }

  @Test func `--steps prints the steps in a terminal too`() async throws {
    let pty = try PseudoTerminal(ScreenSize(columns: 120, rows: 130))
    let end = FileHandle(fileDescriptor: pty.slave)
    (process.standardInput, process.standardOutput) = (end, end)
    process.arguments = ["demo", "--steps"]
    try process.run()
    #expect(await pty.shows("22 books at http://127.0.0.1:"))
    // It ends without a key.
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && !pty.screen.isAlternate)
  }

  @Test(arguments: [true, false])
  func `without a terminal it prints the results and ends`(hasTerminal: Bool) throws {
    let pty = try PseudoTerminal(ScreenSize(columns: 80, rows: 9))
    let output = Pipe()
    // Input alone doesn't make it interactive.
    process.standardInput =
      hasTerminal ? FileHandle(fileDescriptor: pty.slave) : FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && !text.contains("\u{1B}"))
    #expect(text.contains("22 books at http://127.0.0.1:"))
    #expect(text.contains("didReport 2 rows were already in the list"))
    #expect(text.contains("didReachEnd complete"))
    #expect(text.contains("  rows found again and dropped: 2; how sure: "))
    #expect(text.contains("all made by libcurl."))
  }
}
