import Foundation
import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import ListReading

/// Cursors that count rows or pages, after a page that ends at row 40.
struct CountingCursorTests {
  @Test(
    arguments: [
      ("40", true), ("39", true), ("offset:40", true), (#"{"skip":40}"#, true),
      ("YXJyYXljb25uZWN0aW9uOjM5", true),  // arrayconnection:39
      ("eyJvZmZzZXQiOjQwfQ", true),  // {"offset":40}, without padding
      ("41", false), ("k40", false), ("4040", false), ("a40b", false), ("", false),
      ("ZGF0ZTo0MA==x", false), ("99999999999999999999", false),
    ])
  func `a cursor counts if it has the number of rows`(cursor: String, counts: Bool) {
    var cursors = CountingCursor()
    let link = PageFacts.Link.page(PageKey(.after(.string(cursor))))
    let found = cursors.counts(link, rows: 40, pages: 5)
    #expect(found == counts)
  }

  @Test(
    arguments: [
      ("/rows?skip=40", true), ("/rows?limit=40&cursor=abc", false), ("/rows/page/40", true),
      ("/users/40/rows?cursor=abc", false),
    ])
  func `an address counts by its place and not by its size`(address: String, counts: Bool) throws {
    var cursors = CountingCursor()
    let url = try WebURL("https://test" + address)
    let found = cursors.counts(.page(PageKey(.url(url))), rows: 40, pages: 5)
    #expect(found == counts)
  }

  @Test func `a cursor counts pages if it does so three times in a row`() {
    var cursors = CountingCursor()
    func counts(_ number: Int, page: Int) -> Bool {
      cursors.counts(
        .page(PageKey(.after(.string("page:\(number)")))), rows: page * 40, pages: page)
    }
    let thrice = [counts(2, page: 1), counts(3, page: 2), counts(4, page: 3)]
    cursors = CountingCursor()
    let never = [counts(2, page: 1), counts(2, page: 3), counts(5, page: 4), counts(9, page: 5)]
    #expect(thrice == [false, false, true] && never == [false, false, false, false])
  }

  /// Encodings of a number, by name.
  private static let encodings: [(name: String, encode: @Sendable (Int) -> String)] = [
    ("percent-encoded JSON", { "%7B%22o%22%3A\($0)%7D" }),
    ("Base64 in Base64", { base64(Array(base64(Array("o:\($0)".utf8)).utf8)) }),
    ("hexadecimal", { String($0, radix: 16) }),
    ("hexadecimal of JSON", { Array("{\"o\":\($0)}".utf8).map { String($0, radix: 16) }.joined() }),
    ("base 36", { String($0, radix: 36) }),
    ("JWT", { "eyJhbGciOiJIUzI1NiJ9." + base64(Array("{\"o\":\($0)}".utf8)) + ".c2lnbmF0dXJl" }),
    ("protobuf", { base64([0x08] + varint($0) + [0x12, 0x02, 0x61, 0x62]) }),
    ("MessagePack", { base64([0x81, 0xA1, 0x6F, 0xCD, UInt8($0 >> 8), UInt8($0 & 0xFF)]) }),
    ("zlib", { base64([0x78, 0x01] + stored("{\"o\":\($0)}")) }),
    (
      "gzip",
      { base64([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + stored("offset=\($0)") + [0, 0, 0, 0]) }
    ),
  ]

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private static func varint(_ number: Int) -> [UInt8] {
    number < 128 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
  }

  /// A stored block, with a checksum that nobody reads.
  private static func stored(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return [1, UInt8(bytes.count), 0, ~UInt8(bytes.count), 0xFF] + bytes + [0, 0, 0, 0]
  }

  @Test(arguments: encodings.map(\.name), [-1, 0, 1])
  func `a number in any encoding is found on three pages`(name: String, shift: Int) throws {
    let encode = try #require(Self.encodings.first { $0.name == name }).encode
    var cursors = CountingCursor()
    for page in 1...3 {
      let link = PageFacts.Link.page(PageKey(.after(.string(encode(page * 300 + shift)))))
      let found = cursors.counts(link, rows: page * 300, pages: page)
      if page == 3 { #expect(found) }
    }
  }

  @Test(arguments: ["/list/page-%@.json", "/list;page=%@", "/list;size=300;page=%@/rows"])
  func `a number in the path of a link is found`(path: String) throws {
    var cursors = CountingCursor()
    var found: [Bool] = []
    for page in 1...3 {
      let text = path.replacingOccurrences(of: "%@", with: "\(page + 1)")
      let key = PageKey(.url(try WebURL("https://host" + text)))
      #expect(key.place.isCounted)
      found.append(cursors.counts(.page(key), rows: page * 300, pages: page))
    }
    #expect(found == [false, false, true])
  }

  @Test func `a compressed block with codes of its own is read`() {
    let frame: [UInt8] = [
      120, 218, 101, 142, 193, 10, 194, 64, 12, 68, 127, 37, 228, 92, 33, 182, 224, 97, 191, 195,
      147, 226, 97, 77, 83, 13, 116, 155, 178, 73, 79, 197, 127, 239, 162, 71, 225, 93, 6, 230, 49,
      179, 163, 91, 13, 76, 119, 236, 169, 191, 156, 232, 220, 184, 18, 165, 47, 55, 236, 48, 63,
      249,
      7, 62, 58, 116, 201, 149, 223, 152, 112, 182, 42, 5, 116, 245, 173, 192, 104, 45, 129, 107,
      64,
      46, 18, 192, 182, 184, 112, 72, 108, 21, 242, 168, 171, 58, 235, 242, 2, 153, 91, 225, 79,
      107,
      3, 54, 77, 46, 237, 193, 64, 244, 57, 0, 97, 203, 46, 246,
    ]
    let text = Inflate.text(of: frame).map { String(decoding: $0, as: UTF8.self) }
    #expect(text?.hasSuffix(#"elit lorem ipsum dolor","offset":300}"#) == true)
    let numbers = CursorNumbers(.after(.string(Self.base64(frame))))
    #expect(numbers.plain.contains(300))
    // A frame that was cut ends without a result, or with one of its parts.
    for length in frame.indices.dropLast(8) {
      #expect(Inflate.text(of: Array(frame.prefix(length))) == nil)
    }
  }

  @Test func `random cursors don't count`() throws {
    var alarms = 0
    let runs = 300
    for random in try SeededGenerator.runs(runs) {
      var random = random
      var cursors = CountingCursor()
      for page in 1...20 {
        let bytes = (0..<24).map { _ in UInt8.random(in: 0...255, using: &random) }
        let link = PageFacts.Link.page(PageKey(.after(.string(Self.base64(bytes)))))
        if cursors.counts(link, rows: page * 20, pages: page) { alarms += 1 }
      }
    }
    #expect(alarms * 200 < runs)
  }

  @Test func `a key of the last row doesn't count where it is the number of rows`() {
    var cursors = CountingCursor()
    var found: [Bool] = []
    for page in 1...4 {
      let link = PageFacts.Link.page(PageKey(.after(.string(#"{"last_id":\#(page * 100)}"#))))
      found.append(
        cursors.counts(link, rows: page * 100, pages: page, lastID: .number(page * 100)))
    }
    #expect(!found.contains(true))
    cursors = CountingCursor()
    let other = cursors.counts(
      .page(PageKey(.after(.string(#"{"offset":100}"#)))), rows: 100, pages: 1,
      lastID: .number(100))
    #expect(other)
  }

  @Test(
    arguments: [
      ("https://host/list?cursor=40", true), ("https://host/list?cursor=k40", false),
      ("https://host/40?x=1", false),
    ])
  func `a link counts by its parameters`(url: String, counts: Bool) throws {
    var cursors = CountingCursor()
    let link = PageFacts.Link.page(PageKey(.url(try WebURL(url))))
    let found = cursors.counts(link, rows: 40, pages: 5)
    #expect(found == counts)
  }

  @Test func `numbers and objects of JSON are cursors too`() throws {
    var cursors = CountingCursor()
    let object = try JSONAny(JSONDocument(#"{"o":40}"#).root)
    for cursor in [JSONAny.int(40), object] {
      let found = cursors.counts(.page(PageKey(.after(cursor))), rows: 40, pages: 5)
      #expect(found)
    }
    let atEnd = cursors.counts(.end, rows: 40, pages: 5)
    #expect(!atEnd)
  }
}
