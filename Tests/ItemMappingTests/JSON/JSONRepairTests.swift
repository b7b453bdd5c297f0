import Testing

@testable import ItemMapping

struct JSONRepairTests {
  @Test func `a byte order mark is skipped and reported`() throws {
    let document = try JSONDocument([0xEF, 0xBB, 0xBF] + Array(#"{"a": 1.50}"#.utf8))
    #expect(document.repairs == [JSONDocument.Repair(kind: .byteOrderMark, offset: 0)])
    #expect(document.root["a"]?.numberText == "1.50")
    #expect(document.root.text == #"{"a": 1.50}"#)
  }

  @Test func `the position of an error includes the byte order mark`() {
    let error = #expect(throws: JSONError.self) {
      try JSONDocument([0xEF, 0xBB, 0xBF] + Array("[x]".utf8))
    }
    #expect(error?.offset == 4)
  }

  /// Some versions of the parser skip a byte order mark themselves.
  @Test(arguments: ["[1.5, 22]", "{}", "", #"{"a": 18446744073709551616}"#, #""\ud800""#])
  func `a second byte order mark is rejected with its position`(text: String) throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = mark + mark + Array(text.utf8)
    let copied = #expect(throws: JSONError.self) { _ = try JSONDocument(bytes).root.text }
    #expect(copied?.code == .unexpectedByte)
    #expect(copied?.offset == 3)
    let padded = bytes + Array(repeating: 0, count: 64)
    padded.withUnsafeBytes { padded in
      let lent = UnsafeRawBufferPointer(rebasing: padded[..<bytes.count])
      let borrowed = #expect(throws: JSONError.self) {
        _ = try JSONDocument(unsafeBytes: lent, padding: 64, keeping: 0).root.text
      }
      #expect(borrowed == copied)
    }
  }

  @Test func `big numbers keep their digits and don't affect their neighbors`() throws {
    let text = #"{"a":18446744073709551616,"s":"18446744073709551616","n":[-1e999,7,1.5],"z":true}"#
    let document = try JSONDocument(text)
    #expect(
      document.repairs == [
        JSONDocument.Repair(kind: .bigNumber, offset: 5),
        JSONDocument.Repair(kind: .bigNumber, offset: 58),
      ])
    let root = document.root
    #expect(root["a"]?.kind == .number)
    #expect(root["a"]?.numberText == "18446744073709551616")
    #expect(root["a"]?.double == 0x1p64)
    #expect(root["a"]?.string == nil)
    #expect(root["s"]?.kind == .string)
    #expect(root[["n", 0]]?.numberText == "-1e999")
    #expect(root[["n", 0]]?.double == nil)
    #expect(root[["n", 1]]?.int == 7)
    #expect(root.text == text)
    #expect(JSONAny(root).text() == text)
  }

  private static let lone = [
    (#""\ud800""#, "\u{FFFD}", [1]), (#""a\uDFFFb""#, "a\u{FFFD}b", [2]),
    (#""\ud800\u0041""#, "\u{FFFD}A", [1]), (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀", [1]),
    (#""\ud800\ud800""#, "\u{FFFD}\u{FFFD}", [1, 7]),
    (#""\udc00\ud800x""#, "\u{FFFD}\u{FFFD}x", [1, 7]), (#""\udc00""#, "\u{FFFD}", [1]),
    (#""\ud83d\u0041""#, "\u{FFFD}A", [1]),
  ]

  @Test(arguments: lone)
  func `a lone surrogate becomes the replacement character`(
    text: String, value: String, places: [Int]
  ) throws {
    let document = try JSONDocument(text)
    #expect(document.root.string == value)
    #expect(
      document.repairs == places.map { JSONDocument.Repair(kind: .loneSurrogate, offset: $0) })
  }

  @Test(arguments: lone)
  func `a lone surrogate in a name becomes the replacement character`(
    text: String, value: String, places: [Int]
  ) throws {
    let document = try JSONDocument("{\(text):[\(text)]}")
    let offsets = places.map { $0 + 1 } + places.map { $0 + text.utf8.count + 3 }
    #expect(document.repairs.map(\.offset) == offsets)
    #expect(document.root[value]?[0]?.string == value)
    #expect(document.root.text == "{\(text):[\(text)]}")
    let decoded = try ItemDecoder().decode([String: [String]].self, from: document.root)
    #expect(decoded == [value: [value]])
  }

  @Test func `a name can be repaired too, and all repairs can be combined`() throws {
    let text = #"{"\ud800": 1e400, "b": "\udfff", "c": 123456789012345678901}"#
    let document = try JSONDocument([0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(
      document.repairs.map(\.kind) == [
        .byteOrderMark, .loneSurrogate, .bigNumber, .loneSurrogate, .bigNumber,
      ])
    #expect(document.root["\u{FFFD}"]?.numberText == "1e400")
    #expect(document.root["c"]?.numberText == "123456789012345678901")
  }

  @Test(arguments: ["[1e400,]", "[18446744073709551616", #"["\ud800" 1]"#])
  func `an error after a repair is still an error`(text: String) {
    #expect(throws: JSONError.self) { try JSONDocument(text) }
  }

  @Test func `a valid text is read without repairs`() throws {
    #expect(try JSONDocument(#"["\ud83d\ude00", 18446744073709551615, 1e308]"#).repairs.isEmpty)
  }

  @Test func `borrowed bytes are not written to`() throws {
    let text = Array(#"[1e400, "\ud800"]"#.utf8) + Array(repeating: 0, count: 64)
    try text.withUnsafeBytes { bytes in
      let lent = UnsafeRawBufferPointer(rebasing: bytes[..<(text.count - 64)])
      let document = try JSONDocument(unsafeBytes: lent, padding: 64, keeping: 0)
      #expect(document.repairs.count == 2)
    }
    #expect(text.starts(with: Array(#"[1e400, "\ud800"]"#.utf8)))
  }
}
