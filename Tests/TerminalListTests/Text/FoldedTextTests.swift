import Testing

@testable import TerminalList

/// How texts are compared in a search.
struct FoldedTextTests {
  @Test(arguments: [
    ("Café Noir", "CAFE"), ("cafe\u{301}", "café"), ("Straße", "STRASSE"), ("ΟΔΟΣ", "οδός"),
    ("Øresund", "oresund"), ("Đà Nẵng", "da nang"), ("İstanbul", "istanbul"), ("Ёлка", "елка"),
    ("ＡＢＣ１", "abc1"), ("pay\u{200B}pal", "paypal"), ("漢字かな", "字か"), ("a👩🏽‍🚀b", "👩🏽‍🚀"), ("x", ""),
    ("שָׁלוֹם", "שלום"), ("aab", "ab"),
  ])
  func `a text has a part whatever its case and accents`(text: String, part: String) {
    #expect(FoldedText(text).contains(FoldedText(part)))
  }

  @Test(arguments: [
    ("Café Noir", "E N", "   ###   "), ("aaaa", "aa", "####"), ("aab", "ab", " ##"),
    ("Straße", "ss", "    # "), ("漢字かな", "字か", " ## "), ("a👩🏽‍🚀b", "👩🏽‍🚀", " # "), ("abc", "x", "   "),
    ("abc", "", "   "), ("", "a", ""), ("e\u{301}e", "EE", "##"),
  ])
  func `the characters of each match are marked`(text: String, part: String, expected: String) {
    let marks = FoldedText.marks(of: FoldedText(part), in: text.map { String($0) })
    #expect(String(marks.map { $0 ? "#" : " " }) == expected)
  }

  @Test(arguments: [
    ("abc", "abd"), ("", "a"), ("か", "が"), ("कि", "कु"), ("ab", "abc"), ("漢", "字"), ("a b", "ab"),
  ])
  func `different letters stay different`(text: String, part: String) {
    #expect(!FoldedText(text).contains(FoldedText(part)))
  }
}
