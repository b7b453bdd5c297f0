import Foundation
import ListModel
import ListPresentation
import QuireTesting
import ServerAPI
import Testing

@testable import TerminalList

/// A list in a terminal: keys go in, screens come out.
@Suite(.serialized, .timeLimit(.minutes(2))) @MainActor struct TerminalListTests {
  private static let up = "\u{1B}[A"
  private static let down = "\u{1B}[B"

  @Test func `closing a list restores the terminal`() async throws {
    let bench = try TerminalBench(size: ScreenSize(columns: 52, rows: 7))
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50 rows · live"))
    #expect(bench.pty.screen.isAlternate && !bench.pty.screen.isCursorShown)
    #expect(
      bench.pty.screen.lines.map { $0.trimmingCharacters(in: .whitespaces) } == [
        "Books", "Book 1", "Book 2", "Book 3", "Book 4", "Book 5",
        "1/10 of 50 rows · live   ⏎ open  r refresh  q quit",
      ])
    #expect(bench.pty.screen.screen[1].allSatisfy { $0.style.isReverse })
    await bench.quit()
  }

  @Test func `the selection moves, rows scroll, and the next page loads`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    bench.pty.type(Self.down + "j")
    #expect(await bench.pty.shows("3/10 of 50"))
    #expect(bench.pty.screen.screen[3][1].style.isReverse)
    bench.pty.type(" ")
    #expect(await bench.pty.shows("7/10 of 50"))
    #expect(bench.pty.screen.lines[5] == " Book 7")
    bench.pty.type("G")
    #expect(await bench.pty.shows("10/20 of 50"))
    #expect(await bench.pty.shows("Book 11") || bench.pty.screen.lines.contains(" Book 10"))
    bench.pty.type("g")
    #expect(await bench.pty.shows("1/20 of 50"))
    #expect(bench.pty.screen.lines[1] == " Book 1")
    await bench.quit()
  }

  @Test func `all pages load, and the end is shown`() async throws {
    let bench = try TerminalBench(count: 25)
    bench.open()
    #expect(await bench.pty.shows("of 25"))
    for count in [10, 20] {
      #expect(await bench.pty.shows("/\(count) of 25"))
      bench.pty.type("G")
    }
    #expect(await bench.pty.shows("/25 of 25"))
    bench.pty.type("G")
    #expect(await bench.pty.shows("· no more ·"))
    #expect(bench.pty.screen.lines[4] == " Book 25")
    await bench.quit()
  }

  @Test func `a resize keeps the selection visible`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    bench.pty.type(String(repeating: "j", count: 4))
    #expect(await bench.pty.shows("5/10 of 50"))
    bench.pty.resize(ScreenSize(columns: 24, rows: 4))
    kill(getpid(), SIGWINCH)
    #expect(await bench.pty.shows { $0.lines.count == 4 && $0.lines[3].contains("5/10 of 50") })
    #expect(bench.pty.screen.lines.prefix(3) == [" Books", " Book 4", " Book 5"])
    bench.pty.resize(ScreenSize(columns: 60, rows: 14))
    kill(getpid(), SIGWINCH)
    #expect(
      await bench.pty.shows { $0.lines[safe: 1] == " Book 1" && $0.lines[safe: 10] == " Book 10" })
    await bench.quit()
  }

  @Test func `a resize back to the old size is drawn again`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    bench.pty.resize(ScreenSize(columns: 5, rows: 2))
    bench.pty.resize(ScreenSize(columns: 40, rows: 7))
    #expect(bench.pty.screen.lines[1].isEmpty)
    kill(getpid(), SIGWINCH)
    #expect(await bench.pty.shows { $0.lines[1] == " Book 1" && $0.lines[5] == " Book 5" })
    await bench.quit()
  }

  @Test func `a blocked terminal delays neither the list nor its end`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    bench.pty.stall()
    bench.pty.type("\u{C}G")
    let steps = bench.view.controller.model.events
    for await step in steps where step.event == .didFinish(.next) { break }
    #expect(bench.view.controller.model.count == 20)
    await bench.ends(after: "q")
  }

  @Test func `closing the window ends the list`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    bench.pty.hangUp()
    await bench.ends()
  }

  @Test func `the end of the input ends the list, whatever is open`() async throws {
    let bench = try TerminalBench()
    bench.view.detail = { "number \($0.id)" }
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    bench.pty.type("\r")
    #expect(await bench.pty.shows("number 1"))
    await bench.quit("\u{4}")
  }

  @Test func `an end of input before the list opens ends it`() async throws {
    let bench = try TerminalBench()
    bench.pty.type("\u{4}")
    bench.open()
    await bench.quit("")
  }

  @Test func `wide characters are cut at the edge of the screen`() async throws {
    let bench = try TerminalBench(size: ScreenSize(columns: 12, rows: 5), title: "漢字👨‍👩‍👧漢字")
    bench.open()
    #expect(await bench.pty.shows(" 漢字👨‍👩‍👧漢字…"))
    await bench.quit()
  }

  @Test func `a failed page is shown, and retried on request`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    bench.transport.enqueue(.failure(.connectRefused))
    bench.pty.type("G")
    #expect(await bench.pty.shows("✗ r tries again: the connection was"))
    // A key that is held down doesn't retry.
    bench.pty.type(Self.down + Self.down)
    bench.pty.type("k")
    #expect(await bench.pty.shows("9/10 of 50 rows · offline"))
    #expect(bench.transport.requests.count == 2)
    bench.pty.type("r")
    #expect(await bench.pty.shows("9/20 of 50"))
    await bench.quit()
  }

  @Test func `a failed first load has an action`() async throws {
    let bench = try TerminalBench()
    bench.transport.enqueue(.failure(.connectRefused))
    bench.open()
    #expect(await bench.pty.shows("You are offline"))
    #expect(await bench.pty.shows("[⏎ Try again]"))
    bench.pty.type("\r")
    #expect(await bench.pty.shows("1/10 of 50"))
    await bench.quit()
  }

  @Test func `the status counts duplicates and missing rows until the list is reset`()
    async throws
  {
    let bench = try TerminalBench(size: ScreenSize(columns: 60, rows: 7))
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    let ids = [10] + Array(13...21)
    let rows = ids.map { #"{"id": \#($0), "title": "Book"}"# }.joined(separator: ", ")
    bench.transport.enqueue(.json(#"{"total": 48, "rows": [\#(rows)]}"#))
    bench.pty.type("G")
    #expect(await bench.pty.shows("10/19 of 48 rows · 1 duplicate · 2 may be missing · live"))
    bench.pty.type("r")
    #expect(await bench.pty.shows { !($0.lines.last ?? "").contains("missing") })
    await bench.quit()
  }

  @Test func `an empty list shows a placeholder`() async throws {
    let bench = try TerminalBench(count: 0)
    bench.open()
    #expect(await bench.pty.shows("Nothing here yet"))
    await bench.quit()
  }

  @Test func `pulling at the top refreshes`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    bench.pty.type(Self.up)
    #expect(await bench.pty.shows("↑ pull on to refresh 33 %"))
    bench.pty.type(Self.down)
    #expect(await bench.pty.shows("2/10"))
    #expect(!bench.pty.screen.lines[0].contains("↑"))
    bench.pty.type(Self.up)
    #expect(await bench.pty.shows("1/10"))
    bench.pty.type(Self.up + Self.up + Self.up)
    #expect(await bench.pty.shows("↑ once more refreshes"))
    #expect(bench.transport.requests.count == 1)
    bench.pty.type(Self.up)
    #expect(
      await bench.pty.shows { !$0.lines[0].contains("↑") && !$0.lines[0].contains("refresh") })
    #expect(bench.transport.requests.count == 2)
    await bench.quit()
  }

  @Test func `sections show their titles`() async throws {
    let bench = try TerminalBench {
      $0.rows.section = { SectionLabel($0.id / 3, header: "From \($0.id / 3 * 3)") }
    }
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    #expect(
      bench.pty.screen.lines[1...5] == ["From 0", " Book 1", " Book 2", "From 3", " Book 3"])
    await bench.quit()
  }

  @Test func `a selected row opens and closes`() async throws {
    let bench = try TerminalBench()
    bench.view.detail = { "number \($0.id)\nof fifty" }
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    bench.pty.type("j\r")
    #expect(await bench.pty.shows("of fifty"))
    #expect(bench.pty.screen.lines[1] == "number 2")
    bench.pty.type("\u{1B}")
    #expect(await bench.pty.shows("2/10 of 50"))
    await bench.quit()
  }

  @Test func `cancelling the task restores the terminal`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("1/10 of 50"))
    await bench.cancel()
  }

  @Test func `a descriptor without a terminal is rejected`() async throws {
    let bench = try TerminalBench()
    let file = open("/dev/null", O_RDWR)
    defer { close(file) }
    await #expect(throws: TerminalError.notATerminal) {
      try await bench.view.run(in: Terminal(input: file, output: file))
    }
    // This one would show cursor movements as text.
    let dumb = Terminal(
      input: bench.pty.slave, output: bench.pty.slave, environment: ["TERM": "dumb"])
    await #expect(throws: TerminalError.notATerminal) { try await bench.view.run(in: dumb) }
    #expect(!dumb.isInteractive)
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
