import Testing

@testable import ItemMapping

struct JSONDocumentTests {
  @Test(arguments: [
    ("", JSONError.Code.empty, 0, 1, 1),
    (" \n\t ", .empty, 4, 2, 3),
    ("[1,\n 2,\n  x]", .unexpectedByte, 10, 3, 3),
    ("{\"ä\": tru }", .unexpectedByte, 10, 1, 10),
    ("[1", .unexpectedEnd, 2, 1, 3),
    ("[1] 2", .trailingContent, 4, 1, 5),
    ("[-]", .invalidNumber, 2, 1, 3),
    ("[01]", .unexpectedByte, 2, 1, 3),
    ("[1.]", .invalidNumber, 3, 1, 4),
    ("[\"\\x\"]", .invalidEscape, 3, 1, 4),
    ("[\"\\u12g4\"]", .invalidEscape, 6, 1, 7),
    ("[\"a\u{1}\"]", .controlCharacter, 3, 1, 4),
    ("[\"abc", .unexpectedEnd, 5, 1, 6),
    ("[1,]", .unexpectedByte, 3, 1, 4),
    ("{\"a\":1,}", .unexpectedByte, 7, 1, 8),
    ("{1:2}", .unexpectedByte, 1, 1, 2),
    ("{\"a\" 2}", .unexpectedByte, 5, 1, 6),
    ("<html>", .unexpectedByte, 0, 1, 1),
    ("[NaN]", .unexpectedByte, 1, 1, 2),
  ])
  func `an invalid text reports the position of its error`(
    text: String, code: JSONError.Code, offset: Int, line: Int, column: Int
  ) {
    let error = #expect(throws: JSONError.self) { try JSONDocument(text) }
    #expect(error?.code == code)
    #expect(error?.offset == offset)
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test func `an error is described in one line with the position, the reason and an excerpt`() {
    let error = #expect(throws: JSONError.self) {
      try JSONDocument("{\"list\": [\n  1\n  2\n]}")
    }
    #expect(
      error?.description == """
        invalid JSON at line 3, column 3 (byte 17): unexpected character, \
        expected ',' or ']', near “{"list": [   1   2 ]}”
        """)
  }

  @Test func `bytes that are not UTF-8 are rejected with their position`() {
    let error = #expect(throws: JSONError.self) {
      try JSONDocument([UInt8](#"["caf"#.utf8) + [0xE9] + [UInt8](#""]"#.utf8))
    }
    #expect(error?.code == .invalidUTF8)
    #expect(error?.offset == 5)
  }

  @Test func `a document is read by name, position and path`() throws {
    let document = try JSONDocument(#"{"data":{"list":[{"id":7}]},"a.b":1}"#)
    let path: JSONPath = "data.list[-1].id"
    #expect(document[path]?.int == 7)
    #expect(document["data"]?["list"]?[0]?["id"]?.int == 7)
    // A literal is a name, as it is for a view.
    #expect(document["a.b"]?.int == 1)
    #expect(document["none"] == nil && document[0] == nil)
    let list = try JSONDocument("[1,2,3]")
    #expect(list[0]?.int == 1 && list[-1]?.int == 3)
    #expect(list[3] == nil && list["a"] == nil)
    #expect(list[JSONPath.root]?.count == 3)
  }

  @Test(arguments: [(1024, true), (1025, false), (100_000, false)])
  func `nesting is accepted up to a limit and rejected beyond it`(depth: Int, isRead: Bool) {
    let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    if isRead {
      #expect(throws: Never.self) { try JSONDocument(text) }
    } else {
      let error = #expect(throws: JSONError.self) { try JSONDocument(text) }
      #expect(error?.code == .tooDeep)
    }
  }
}
