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
    let bench = try TerminalBench(size: ScreenSize(columns: 61, rows: 7))
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total · live"))
    #expect(bench.pty.screen.isAlternate && !bench.pty.screen.isCursorShown)
    #expect(
      bench.pty.screen.lines.map { $0.trimmingCharacters(in: .whitespaces) } == [
        "Books", "Book 1", "Book 2", "Book 3", "Book 4", "Book 5",
        "row 1 of 10, 50 in total · live",
      ])
    #expect(bench.pty.screen.screen[1].allSatisfy { $0.style.isReverse })
    await bench.quit()
  }

  @Test func `the selection moves, rows scroll, and the next page loads`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.pty.type(Self.down + "j")
    #expect(await bench.pty.shows("row 3 of 10, 50 in total"))
    #expect(bench.pty.screen.screen[3][1].style.isReverse)
    bench.pty.type(" ")
    #expect(await bench.pty.shows("row 7 of 10, 50 in total"))
    #expect(bench.pty.screen.lines[5] == " Book 7")
    bench.pty.type("G")
    #expect(await bench.pty.shows("row 10 of 20, 50 in total"))
    #expect(await bench.pty.shows("Book 11") || bench.pty.screen.lines.contains(" Book 10"))
    bench.pty.type("g")
    #expect(await bench.pty.shows("row 1 of 20, 50 in total"))
    #expect(bench.pty.screen.lines[1] == " Book 1")
    await bench.quit()
  }

  @Test func `new rows are counted and shown, and the lines in sight stay`() async throws {
    let bench = try TerminalBench(size: ScreenSize(columns: 70, rows: 8))
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.pty.type(String(repeating: "j", count: 7) + "k")
    #expect(await bench.pty.shows("row 7 of 10"))
    let lines = bench.pty.screen.lines[1..<7]
    #expect(lines.first == " Book 3")
    let rows =
      (101...103).map { #"{"id": \#($0), "title": "New \#($0)"}"# }
      + (1...7).map { #"{"id": \#($0), "title": "Book \#($0)"}"# }
    let page = MockResponse.json(#"{"total": 53, "rows": [\#(rows.joined(separator: ", "))]}"#)
    bench.transport.enqueue(page, page)
    let model = try #require(bench.view.controller.model)
    #expect(try await model.checkForNewRows() == NewRows(count: 3))
    #expect(await bench.pty.shows("3 new rows, r shows them · row 7 of 10, 50 in total · live"))
    #expect(bench.pty.screen.lines[1..<7] == lines)
    bench.pty.type("r")
    #expect(await bench.pty.shows { $0.lines[7].hasPrefix(" row 10 of 13, 53 in total") })
    #expect(bench.pty.screen.lines[1..<7] == lines)
    bench.pty.type("g")
    #expect(await bench.pty.shows { $0.lines[1] == " New 101" })
    await bench.quit()
  }

  @Test func `all pages load, and the end is shown`() async throws {
    let bench = try TerminalBench(count: 25)
    bench.open()
    #expect(await bench.pty.shows("25 in total"))
    for count in [10, 20] {
      #expect(await bench.pty.shows(" of \(count)"))
      bench.pty.type("G")
    }
    #expect(await bench.pty.shows(" of 25 ·"))
    bench.pty.type("G")
    #expect(await bench.pty.shows("· end of the list: all 25 rows are loa"))
    #expect(bench.pty.screen.lines[4] == " Book 25")
    await bench.quit()
  }

  @Test func `a resize keeps the selection visible`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.pty.type(String(repeating: "j", count: 4))
    #expect(await bench.pty.shows("row 5 of 10, 50 in total"))
    bench.pty.resize(ScreenSize(columns: 24, rows: 4))
    kill(getpid(), SIGWINCH)
    #expect(await bench.pty.shows { $0.lines.count == 4 && $0.lines[3].contains("row 5 of 10") })
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
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
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
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.pty.stall()
    bench.pty.type("\u{C}G")
    let model = try #require(bench.view.controller.model)
    let steps = model.events
    for await step in steps where step.event == .didFinish(.next) { break }
    #expect(model.count == 20)
    await bench.ends(after: "q")
  }

  @Test func `closing the window ends the list`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.pty.hangUp()
    await bench.ends()
  }

  @Test func `the end of the input ends the list, whatever is open`() async throws {
    let bench = try TerminalBench()
    bench.view.detail = { "number \($0.id)" }
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
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
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.transport.enqueue(.failure(.connectRefused))
    bench.pty.type("G")
    #expect(await bench.pty.shows("✗ press r to try again: the"))
    // A key that is held down doesn't retry.
    bench.pty.type(Self.down + Self.down)
    bench.pty.type("k")
    #expect(await bench.pty.shows("row 9 of 10, 50 in total · unreachable"))
    #expect(bench.transport.requests.count == 2)
    bench.pty.type("r")
    #expect(await bench.pty.shows("row 9 of 20, 50 in total"))
    await bench.quit()
  }

  @Test func `a failed first load has an action`() async throws {
    let bench = try TerminalBench()
    bench.transport.enqueue(.failure(.connectRefused))
    bench.open()
    #expect(await bench.pty.shows("The server can't be reached"))
    #expect(await bench.pty.shows("[⏎ Try again]"))
    bench.pty.type("\r")
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    await bench.quit()
  }

  @Test func `the status counts duplicates and missing rows until the list is refreshed`()
    async throws
  {
    let bench = try TerminalBench(size: ScreenSize(columns: 80, rows: 7))
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    let ids = [10] + Array(13...21)
    let rows = ids.map { #"{"id": \#($0), "title": "Book"}"# }.joined(separator: ", ")
    let first = (1...9).map { #"{"id": \#($0), "title": "Book"}"# }.joined(separator: ", ")
    // The page before, which is read again for rows that moved, doesn't meet the page that shows that they did.
    bench.transport.enqueue(
      .json(#"{"total": 42, "rows": [\#(rows)]}"#), .json(#"{"total": 41, "rows": [\#(first)]}"#))
    bench.pty.type("G")
    #expect(
      await bench.pty.shows(
        "row 10 of 19, 42 in total · 1 duplicate · rows may be missing · live"))
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
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.pty.type(Self.up)
    #expect(await bench.pty.shows("↑ keep pressing to refresh (33%)"))
    bench.pty.type(Self.down)
    #expect(await bench.pty.shows("row 2 of 10"))
    #expect(!bench.pty.screen.lines[0].contains("↑"))
    bench.pty.type(Self.up)
    #expect(await bench.pty.shows("row 1 of 10"))
    bench.pty.type(Self.up + Self.up + Self.up)
    #expect(await bench.pty.shows("↑ press once more to refresh"))
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
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    #expect(
      bench.pty.screen.lines[1...5] == ["From 0", " Book 1", " Book 2", "From 3", " Book 3"])
    await bench.quit()
  }

  @Test func `a selected row opens and closes`() async throws {
    let bench = try TerminalBench()
    bench.view.detail = { "number \($0.id)\nof fifty" }
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.pty.type("j\r")
    #expect(await bench.pty.shows("of fifty"))
    #expect(bench.pty.screen.lines[1] == "number 2")
    bench.pty.type("\u{1B}")
    #expect(await bench.pty.shows("row 2 of 10, 50 in total"))
    await bench.quit()
  }

  @Test func `cancelling the task restores the terminal`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
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
