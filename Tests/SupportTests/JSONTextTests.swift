import Support
import Testing

@Suite struct JSONTextTests {
  @Test(arguments: [
    (#""""#, 2), (#""a","b""#, 3), (#""\"""#, 4), (#""\\"x"#, 4), (#""\\\"",1"#, 6),
    (#""a"#, nil), (#"""#, nil), (#""\""#, nil), (#""\\\""#, nil),
  ])
  func `a string ends at the first quote that is not escaped`(_ text: String, _ end: Int?) {
    let found = Array(text.utf8).withUnsafeBytes { JSONText.endOfString(at: 0, in: $0) }
    #expect(found == end)
  }

  @Test(arguments: [
    ("{}", 2), ("[[],{}],1", 7), (#"{"a": "}"}}"#, 10), (#"["\"]"]"#, 7), ("[1", nil),
    (#"["]"#, nil), ("[{}", nil),
  ])
  func `a container ends at its closing bracket, not at one in a string`(
    _ text: String, _ end: Int?
  ) {
    let found = Array(text.utf8).withUnsafeBytes { JSONText.endOfContainer(at: 0, in: $0) }
    #expect(found == end)
  }

  @Test(arguments: [
    ("", ""), ("é", "é"), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"),
    (#"a\u0062\u00e9c"#, "abéc"), (#"\ud83d\ude00"#, "😀"), (#"\ud83dx"#, "\u{FFFD}x"),
    (#"\u00"#, "u00"), (#"a\"#, #"a\"#),
  ])
  func `escapes are replaced by what they mean`(_ content: String, _ expected: String) {
    let bytes = Array(content.utf8).withUnsafeBytes { JSONText.unescaped($0[...]) }
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}
