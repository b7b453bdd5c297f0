import Testing

@testable import ItemMapping

struct JSONViewTests {
  private func view(_ text: String) throws -> JSONView { try JSONDocument(text).root }

  @Test(arguments: [
    ("null", JSONView.Kind.null), ("true", .bool), ("false", .bool), ("1", .number),
    ("-1.5", .number),
    ("18446744073709551615", .number), ("1e999", .number), (#""x""#, .string), ("[]", .array),
    ("{}", .object),
  ])
  func `a view has the kind of its value`(text: String, kind: JSONView.Kind) throws {
    #expect(try view(text).kind == kind)
    #expect(try view("[0, \(text), 0]")[1]?.kind == kind)
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("-9223372036854775808", Int64.min), ("9223372036854775807", .max),
    ("1.0", 1), ("1e3", 1000), ("-2.50e1", -25), ("1.5", nil), ("9223372036854775808", nil),
    ("9007199254740993.0", nil), ("1e400", nil), ("\"1\"", nil), ("true", nil), ("null", nil),
  ])
  func `an integer is exact or nil`(text: String, value: Int64?) throws {
    #expect(try view(text).int64 == value)
  }

  @Test func `integers above Int64 are read as unsigned`() throws {
    #expect(try view("18446744073709551615").uint64 == .max)
    #expect(try view("7").uint64 == 7)
    #expect(try view("-7").uint64 == nil)
  }

  @Test(arguments: [
    ("0.1", 0.1), ("1", 1), ("18446744073709551615", 0x1p64), ("5e-324", .leastNonzeroMagnitude),
    ("123456789012345678901234567890", 123456789012345677877719597056), ("1e400", nil),
    ("1e-9999", 0), ("\"1\"", nil),
  ])
  func `a double is the nearest to the number`(text: String, value: Double?) throws {
    #expect(try view(text).double == value)
  }

  @Test(arguments: [
    "0", "-0", "1.10", "-0.0", "1E+2", "123456789012345678901234567890.123456789",
    "18446744073709551616", "-9223372036854775809", "1e400", "-1e-400",
  ])
  func `a number keeps its digits at any position`(digits: String) throws {
    #expect(try view(digits).numberText == digits)
    let text = #"{"a": [1, "\"[", {}, \#(digits) ], "b" : \#(digits)}"#
    let root = try view(text)
    #expect(root[["a", 3]]?.numberText == digits)
    #expect(root["b"]?.numberText == digits)
    #expect(root["b"]?.text == digits)
    #expect(root["a"]?.text == #"[1, "\"[", {}, \#(digits) ]"#)
    #expect(root.text == text)
  }

  @Test func `strings have no escapes, and their bytes can be borrowed`() throws {
    let root = try view(#"["a\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00", "", "a\u0000b"]"#)
    #expect(root[0]?.string == "a\"\\/\u{8}\u{C}\n\r\tä😀")
    #expect(root[1]?.string == "")
    #expect(root[2]?.withUTF8 { Array($0) } == [0x61, 0, 0x62])
    #expect(root.withUTF8 { $0.count } == nil)
  }

  @Test func `members and elements are in the order of the text`() throws {
    let root = try view(#"{"b": [1, [2], {"x": 3}], "a": 1.5, "b": null}"#)
    #expect(root.members.map(\.name) == ["b", "a", "b"])
    #expect(root.members.map(\.value.kind) == [.array, .number, .null])
    #expect(root["b"]?.elements.map(\.kind) == [.number, .array, .object])
    #expect(root.count == 3)
    #expect(root["a"]?.count == 0)
    #expect(Array(root.elements).isEmpty)
    #expect(try Array(view("[1]").members).isEmpty)
  }

  @Test func `the first value of a repeated name wins`() throws {
    let root = try view(#"{"a": 1, "b": 2, "a": 3}"#)
    #expect(root["a"]?.int == 1)
    #expect(JSONAny(root) == ["a": 1, "b": 2])
  }

  @Test(arguments: ["", "a", "1234567", "12345678", "123456789", "12345678X", "ä", "e\u{301}"])
  func `names of every length are found byte for byte`(name: String) throws {
    let names = [
      "", "a", "1234567", "12345678", "123456789", "12345678X", "ä", "e\u{301}", "\u{E9}",
    ]
    let members = names.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ",")
    let found = try view("{\(members)}")[name]?.string
    #expect(found.map { Array($0.utf8) } == Array(name.utf8))
    #expect(try view("{\(members)}")[name + "?"] == nil)
  }

  @Test func `a position counts from either end and may be out of range`() throws {
    let root = try view("[10, [20], 30]")
    #expect(root[0]?.int == 10)
    #expect(root[-1]?.int == 30)
    #expect(root[-3]?.int == 10)
    #expect(root[3] == nil)
    #expect(root[-4] == nil)
    #expect(try view("{}")[0] == nil)
  }

  @Test func `a view outlives the bytes and the document it was made from`() throws {
    func make() throws -> JSONView? { try JSONDocument(Array(#"["kept"]"#.utf8)).root[0] }
    #expect(try make()?.string == "kept")
  }

  @Test(arguments: [0, 63, 64]) func `borrowed bytes are read with any padding`(padding: Int) throws {
    let text = Array(#"{"a": [1, 2.50, "x"]}"#.utf8)
    let owner = Lent(text + Array(repeating: 0x22, count: padding))
    let lent = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(owner.bytes)[..<text.count])
    let document = try JSONDocument(unsafeBytes: lent, padding: padding, keeping: owner)
    #expect(JSONAny(document.root) == ["a": [1, 2.5, "x"]])
    #expect(document.root[["a", 1]]?.numberText == "2.50")
  }

  /// Memory that stays allocated until its last reference is released.
  private final class Lent: @unchecked Sendable {
    let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ content: [UInt8]) {
      bytes = .allocate(capacity: content.count)
      _ = bytes.initialize(from: content)
    }

    deinit { bytes.deallocate() }
  }

  @Test func `elements are counted when the tape's count is saturated`() {
    let full: UInt64 = 0xFF_FFFF &<< 32
    var words: [UInt64] = [
      0, UInt64(JSONTape.Tag.array) &<< 56 | full | 5, UInt64(JSONTape.Tag.null) &<< 56,
      UInt64(JSONTape.Tag.null) &<< 56, UInt64(UInt8(ascii: "]")) &<< 56, 0,
    ]
    let strings: [UInt8] = [0]
    words.withUnsafeMutableBufferPointer { words in
      strings.withUnsafeBufferPointer { strings in
        guard let words = words.baseAddress, let strings = strings.baseAddress else { return }
        let tape = JSONTape(words: words, count: 6, strings: strings)
        #expect(tape.count(of: JSONTape.root) == 2)
      }
    }
  }

  @Test func `several threads read one document at once`() async throws {
    let root = try view("[" + (0..<200).map { "\($0).50" }.joined(separator: ",") + "]")
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { root.elements.compactMap(\.numberText).joined() }
      }
      let whole = (0..<200).map { "\($0).50" }.joined()
      for await text in group { #expect(text == whole) }
    }
  }

  /// A string that is taken for ASCII by mistake is read wrongly.
  @Test(arguments: ["é", "書", "😀", "\u{80}"])
  func `a string of any length knows whether it is ASCII`(character: String) throws {
    for length in 0...70 {
      let ascii = String(repeating: "a", count: length)
      let read = try #require(view("\"\(ascii)\"").string)
      #expect(read == ascii)
      #expect(isKnownASCII(read))
      for place in 0...length {
        let text = ascii.prefix(place) + character + ascii.dropFirst(place)
        let read = try #require(view("\"\(text)\"").string)
        #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
        #expect(!isKnownASCII(read), "\(character) at \(place) of \(length)")
      }
    }
  }

  private func isKnownASCII(_ text: String) -> Bool { text.utf8Span.isKnownASCII }
}
