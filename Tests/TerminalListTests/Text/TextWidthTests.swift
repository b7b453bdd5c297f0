import QuireTesting
import Testing

@testable import TerminalList

/// The width of text in columns.
struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("カナ", 4), ("ｶﾅ", 2), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("ＡＢ", 4), ("😀", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2),
    ("❤\u{FE0F}", 2), ("❤\u{FE0E}", 1), ("❤", 1), ("⌚\u{FE0E}", 1), ("1\u{FE0F}\u{20E3}", 2),
    ("ä̧̈", 1),
    ("שלום", 4), ("नमस्ते", 4), ("\u{200B}", 0), ("\u{200D}", 0), ("…", 1), ("─", 1), ("𠀀", 2),
  ])
  func `text has the width that a reader sees`(text: String, width: Int) {
    #expect(TextWidth.of(text) == width, "\(text.unicodeScalars.map(\.value))")
  }

  private func fitted(_ text: String, _ columns: Int) -> String {
    String(TextWidth.fitted(text, to: columns).map(\.character))
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""), ("", 0, ""),
    ("漢字", 4, "漢字"), ("漢字", 3, "漢…"), ("漢字", 2, "…"), ("漢字a", 4, "漢…"), ("a\u{200B}b", 2, "ab"),
    ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"), ("abc", -5, ""),
  ])
  func `text that doesn't fit ends in an ellipsis`(text: String, columns: Int, result: String) {
    #expect(fitted(text, columns) == result)
  }

  @Test func `text can't move the cursor or reverse its letters`() {
    #expect(fitted("a\u{1B}[2Jb\tc\r\nd\u{7F}", 80) == "a␛[2Jb␉c␍␊d␡")
    #expect(fitted("a\u{9B}2J\u{202E}b\u{2066}\u{2028}c", 80) == "a�2J�b��c")
  }

  @Test func `endless text costs no more than what fits`() {
    let endless = String(repeating: "a", count: 1_000_000) + "b"
    #expect(TextWidth.visible(endless, limit: 10).count == 11)
    let marks = "a" + String(repeating: "\u{301}", count: 10_000)
    let cells = TextWidth.visible(marks, limit: 10)
    #expect(cells.count == 1 && cells[0].character.unicodeScalars.count <= 12)
  }

  @Test(arguments: [
    ("abc", 2, ["ab", "c"]), ("a\n\nb", 9, ["a", "", "b"]), ("漢字", 3, ["漢", "字"]), ("", 5, [""]),
    ("abc", 1, []), ("a\tb", 9, ["a␉b"]),
    ("one two three", 8, ["one two ", "three"]), ("  abcdef", 4, ["  ab", "cdef"]),
    ("ab cdefghij", 5, ["ab ", "cdefg", "hij"]), ("漢字 漢字", 8, ["漢字 ", "漢字"]),
    ("a\r\nb\rc\u{2028}d", 9, ["a", "b", "c", "d"]),
  ])
  func `text wraps at the width`(text: String, columns: Int, lines: [String]) {
    #expect(TextWidth.wrapped(text, to: columns) == lines)
  }

  @Test func `any text fits`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(2_000) {
      let text = RandomText.make(&random)
      let columns = Int.random(in: 0...12, using: &random)
      let cells = TextWidth.fitted(text, to: columns)
      #expect(cells.reduce(0) { $0 + $1.width } <= columns, "\(text) in \(columns) · \(random)")
      #expect(cells.allSatisfy { $0.width == TextWidth.of($0.character) }, "\(random)")
    }
  }
}

enum RandomText {
  private static let parts = [
    "a", "b", " ", "漢", "字", "😀", "👍🏽", "👨‍👩‍👧", "🇩🇪", "é", "e\u{301}", "\u{301}", "\u{200D}", "\u{FE0F}",
    "\u{FE0E}",
    "❤", "한", "\u{1161}", "ｱ", "\t", "\u{1B}[H", "\r\n", "\u{202E}", "क्ष", "1\u{20E3}", "🏽", "🇩",
  ]

  static func make(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...10, using: &random)).map { _ in
      parts.randomElement(using: &random) ?? ""
    }.joined()
  }
}
