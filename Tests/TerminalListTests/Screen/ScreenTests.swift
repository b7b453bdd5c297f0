import QuireTesting
import Testing

@testable import TerminalList

/// A screen, and the bytes that make a terminal show it.
struct ScreenTests {
  private let size = ScreenSize(columns: 10, rows: 3)

  @Test func `text is written at its place, and cut to fit`() {
    var screen = Screen(size)
    #expect(screen.put("abc", row: 0, column: 1) == 4)
    #expect(screen.put("0123456789012", row: 1) == 10)
    screen.put("漢字漢字漢字", row: 2)
    screen.put("never", row: 3)
    screen.put("never", row: -1, column: -1)
    screen.put("never", row: 0, column: 10)
    #expect((0..<4).map { screen.text(ofRow: $0) } == [" abc", "012345678…", "漢字漢字…", ""])
    #expect(screen[2, 1].text.isEmpty)
  }

  @Test func `no half of a wide character remains`() {
    var screen = Screen(size)
    screen.put("漢字", row: 0)
    screen.put("x", row: 0, column: 1)
    #expect(screen.text(ofRow: 0) == " x字")
    screen.put("y", row: 0, column: 2)
    #expect(screen.text(ofRow: 0) == " xy")
  }

  @Test func `impossible sizes become usual ones`() {
    #expect(ScreenSize(columns: 0, rows: -1) == ScreenSize(columns: 80, rows: 24))
    #expect(ScreenSize(columns: 99_999, rows: 99_999).rows == 1_000)
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^")
  }

  @Test func `unchanged cells are not sent`() {
    var before = Screen(size)
    before.put("row one", row: 0)
    before.put("row two", row: 1)
    #expect(before.bytes(after: before).isEmpty)
    var after = before
    after.put("2", row: 1, column: 4)
    after.put("two", row: 1, column: 4, style: .plain)
    after.put("!", row: 1, column: 9)
    #expect(text(after.bytes(after: before)) == "^[2;10H^[0m!")
    after = before
    after.put("R", row: 0)
    after.put("T", row: 0, column: 4)
    #expect(text(after.bytes(after: before)) == "^[1;1H^[0mRow T")
    #expect(text(Screen(size).bytes(after: before)) == "^[1;1H^[0m^[K^[2;1H^[K")
  }

  @Test func `NO_COLOR drops colors but not other styles`() {
    var screen = Screen(size)
    screen.put("x", row: 0, style: .section)
    screen.put("y", row: 1, style: .bar)
    #expect(text(screen.bytes(after: nil)).contains("[0;1;36m"))
    let plain = text(screen.bytes(after: nil, withColor: false))
    #expect(plain.contains("[0;1m") && plain.contains("[0;7m") && !plain.contains("36"))
    #expect(plain.hasSuffix("^[0m"))
  }

  @Test func `the sent bytes turn one screen into another`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(1_000) {
      let size = ScreenSize(
        columns: Int.random(in: 1...14, using: &random), rows: Int.random(in: 1...4, using: &random)
      )
      var terminal = TinyTerminal(size)
      var shown: Screen?
      for _ in 0..<4 {
        var next = shown.flatMap { Bool.random(using: &random) ? $0 : nil } ?? Screen(size)
        for _ in 0..<Int.random(in: 0...6, using: &random) { scribble(on: &next, &random) }
        terminal.write(next.bytes(after: shown))
        #expect(terminal.problems.isEmpty, "\(terminal.problems) · \(random)")
        #expect(terminal.screen.flatMap(\.self) == next.cells, "\(random)")
        shown = next
      }
      guard terminal.problems.isEmpty else { return }
    }
  }

  @Test func `a letter with other code points is sent`() {
    var (before, after) = (Screen(size), Screen(size))
    before.put("\u{E9}", row: 0)
    after.put("e\u{301}", row: 0)
    #expect(text(after.bytes(after: before)) == "^[1;1H^[0m^[Ke\u{301}")
  }

  @Test(arguments: [1, 2], try SeededGenerator.runs(failed: [13_219_330_206_775_688_658]))
  func `rare characters of other widths leave no remnants`(
    width: Int, _ seeded: SeededGenerator
  ) throws {
    var random = seeded
    let size = ScreenSize(columns: 14, rows: 1)
    func terminal() -> TinyTerminal {
      var terminal = TinyTerminal(size)
      terminal.width = { $0.utf8.count > 2 ? width : TextWidth.of($0) }
      return terminal
    }
    for _ in 0..<Thoroughness.runs(1_000) {
      var (used, shown) = (terminal(), Screen(size))
      used.write(shown.bytes(after: nil))
      for _ in 0..<4 {
        var next = Bool.random(using: &random) ? shown : Screen(size)
        for _ in 0..<3 { scribble(on: &next, &random) }
        used.write(next.bytes(after: shown))
        var new = terminal()
        new.write(next.bytes(after: nil))
        #expect(used.screen == new.screen, "\(random)")
        guard used.screen == new.screen else { return }
        shown = next
      }
    }
  }

  private func scribble(on screen: inout Screen, _ random: inout SeededGenerator) {
    let row = Int.random(in: -1...screen.size.rows, using: &random)
    let column = Int.random(in: -1...screen.size.columns, using: &random)
    let style = [Style.plain, .bar, .alarm, .section].randomElement(using: &random) ?? .plain
    if Int.random(in: 0..<6, using: &random) == 0 {
      screen.fill(row: row, from: column, style: style)
    } else {
      screen.put(RandomText.make(&random), row: row, column: column, style: style)
    }
  }
}
