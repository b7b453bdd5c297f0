import Foundation
import QuireTesting
import ServerAPI
import Testing

@testable import TerminalList

/// A search in a pseudo-terminal, while the screen or the list changes.
@Suite(.serialized, .timeLimit(.minutes(2))) @MainActor struct SearchInTerminalTests {
  @Test func `a resize in the middle of a search keeps what is typed and found`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.pty.type("/book")
    #expect(await bench.pty.shows("/book▏  row 1 of 10 loaded so far"))
    bench.pty.resize(ScreenSize(columns: 24, rows: 4))
    kill(getpid(), SIGWINCH)
    #expect(
      await bench.pty.shows { $0.lines.count == 4 && $0.lines[3] == " /book▏  row 1 of 10 lo…" })
    bench.pty.type(" 7")
    #expect(await bench.pty.shows("/book 7▏  row 7 of 10"))
    #expect(bench.pty.screen.lines[2] == " Book 7")
    bench.pty.resize(ScreenSize(columns: 60, rows: 14))
    kill(getpid(), SIGWINCH)
    #expect(await bench.pty.shows { $0.lines.last == " /book 7▏  row 7 of 20 loaded so far" })
    bench.pty.type("\r")
    #expect(await bench.pty.shows("/book 7  row 7 of 20 loaded so far · n next"))
    await bench.quit()
  }

  @Test func `a page that fails during a search leaves the search open`() async throws {
    let bench = try TerminalBench(size: ScreenSize(columns: 70, rows: 7))
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.transport.enqueue(.failure(.connectRefused))
    bench.pty.type("/book 10")
    #expect(await bench.pty.shows("row 10 of 10 loaded so far · the next page failed"))
    #expect(bench.pty.screen.lines[5].contains("✗ press r to try again: the"))
    bench.pty.type("5")
    #expect(
      await bench.pty.shows("/book 105▏  not found in the 10 rows loaded so far · the next page"))
    bench.pty.type("\u{7F}\u{7F}")
    #expect(await bench.pty.shows("/book 1▏  row 1 of 10 loaded so far"))
    bench.pty.type("6\r")
    #expect(await bench.pty.shows("/book 16  not found in the 10 rows loaded so far"))
    // The retry is a key of the list again, and the search goes on in its rows.
    bench.pty.type("r")
    #expect(await bench.pty.shows("/book 16  row 16 of 20 loaded so far"))
    #expect(bench.pty.screen.lines.contains(" Book 16"))
    await bench.quit()
  }

  @Test func `keys typed into a search are no commands`() async throws {
    let bench = try TerminalBench()
    bench.open()
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    bench.pty.type("/q?rGé漢")
    #expect(await bench.pty.shows("/q?rGé漢▏  not found"))
    bench.pty.type("\u{1B}")
    #expect(await bench.pty.shows("row 1 of 10, 50 in total"))
    await bench.quit()
  }
}
