import CSimdJSON
import Foundation
import ItemMapping
import QuireTesting
import Testing

/// The parser in C gives the tape, strings and structural characters of simdjson, and refuses the same texts.
@Suite(ParserOutcome.isComparable)
struct PortableParserTests {
  /// What may follow a text in memory: bytes that continue values, close containers or end strings.
  static let fillers = ["", "1", "\"", "]", "}", " ", "\\", ",", "0e", "[", ":\"", "u0041\"", "\u{80}"]

  static let documents = [
    #"{"id":12,"title":"Ü\u00e9\ud83d\ude00","tags":["a","b\n"],"price":{"amount":1.10e2},"x":null}"#,
    "[[[[-0, 1e40, 18446744073709551615, \"\u{7FF}\u{FFFF}\u{10FFFF}\", true, false]]], {\"\":{\"a\":[]}}, 0.5]",
    " { \"a\" : [ 1 ,\r\n\t2 ] ,\n        \"b\" : { } , \"c\" : [ ] } \n         ",
    "\"a long string, which takes more than a few words, and has an escape at the end\\t\"", "-123.456e-7", "true",
  ]

  @Test func `every fixture is parsed alike`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")
    let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var texts: [[UInt8]] = []
    for case let file as URL in files {
      guard let data = try? Data(contentsOf: file) else { continue }
      texts.append(Array(data))
    }
    #expect(texts.count > 10)
    expectAgreement(on: texts)
  }

  @Test(arguments: documents) func `a text that is cut off at any byte is refused, whatever follows it`(
    _ document: String
  ) {
    let bytes = Array(document.utf8)
    for filler in Self.fillers {
      expectAgreement(on: (0...bytes.count).lazy.map { Array(bytes[..<$0]) }, before: filler)
    }
  }

  @Test(arguments: documents) func `a document with any other byte at any place is read or refused alike`(
    _ document: String
  ) {
    let bytes = Array(document.utf8)
    // Every byte, or those that mean something.
    let others = Thoroughness.current == .brief ? Array("\"\\{}[]:,0-.eu \n\u{0}\u{80}é".utf8) : Array(0...255)
    for place in bytes.indices {
      expectAgreement(
        on: others.lazy.map { other in
          var changed = bytes
          changed[place] = other
          return changed
        })
    }
  }

  @Test func `every escape is read or refused alike`() {
    let escapes = (UInt8.min...UInt8.max).map { [UInt8(ascii: "\\"), $0] }
    expectAgreement(on: escapes.map { Array("[\"a".utf8) + $0 + Array("b\"]".utf8) })
    expectAgreement(on: escapes.map { Array("\"".utf8) + $0 + Array("0041\"".utf8) })
    let units = [
      "0000", "001f", "0022", "007F", "0080", "07fF", "0800", "D7FF", "d800", "DBFF", "dc00", "DfFF", "e000", "FFFF",
      "000", "00g0", "/000", ":000", "@000", "G000", "`000", "-001", "+001", " 001", "00é", "",
    ]
    expectAgreement(on: units.map { Array("\"\\u\($0)\"".utf8) })
    for first in units {
      expectAgreement(on: units.map { Array("\"\\u\(first)\\u\($0)x\"".utf8) })
      expectAgreement(on: ["\\n", "\\", "u0041", "\\U0041"].map { Array("\"\\u\(first)\($0)\"".utf8) })
    }
  }

  @Test func `every kind of broken UTF-8 is refused alike`() {
    let edges: [UInt8] = [0x00, 0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    let quote = [UInt8(ascii: "\"")]
    for first in UInt8(0x80)...0xFF {
      expectAgreement(on: (UInt8.min...UInt8.max).lazy.map { quote + [first, $0] + quote })
      for second in edges {
        expectAgreement(on: edges.lazy.map { quote + [first, second, $0] + quote })
        if first >= 0xEF { expectAgreement(on: edges.lazy.map { quote + [first, second, 0xBF, $0] + quote }) }
      }
    }
    // At each place of a word, and after other characters.
    for before in 0...9 {
      for text in ["é", "漢", "漢字", "😀", "\u{7FF}\u{800}", "\u{FFFF}\u{10000}"] {
        let bytes = Array(text.utf8)
        for count in 1...bytes.count {
          let start = quote + Array(repeating: UInt8(ascii: "a"), count: before) + bytes[..<count]
          expectAgreement(on: [start + quote, start + Array("b\"".utf8), start + start.dropFirst() + quote])
        }
      }
    }
  }

  @Test(arguments: [1, 1_022, 1_023, 1_024, 1_025, 2_000])
  func `documents are as deep as they may be`(_ depth: Int) {
    func nested(_ open: String, _ inner: String, _ close: String) -> [UInt8] {
      Array(String(repeating: open, count: depth).utf8) + Array(inner.utf8)
        + Array(String(repeating: close, count: depth).utf8)
    }
    var texts: [[UInt8]] = []
    for inner in ["1", "[]", "{}", "[ ]", "[[]]", "[1,{}]", ""] {
      texts += [nested("[", inner, "]"), nested("{\"a\":", inner, "}"), nested("[0,", inner, ",1]")]
    }
    expectAgreement(on: texts)
    let status = ParserOutcome.portable(nested("[", "[]", "]")).status
    #expect(status == (depth <= 1_024 ? csimdjson_ok : csimdjson_too_deep))
  }

  @Test func `blanks are skipped anywhere, and nothing else is`() {
    let blanks = [
      " ", "\n", "\t\r", "       ", "        ", "\n         ", "\u{0}", "\u{C}", "\u{A0}", "\u{FEFF}", "//",
    ]
    for blank in blanks {
      let texts = [
        "_1_", "_[_1_,_2_]_", "_{_\"a\"_:_1_,_\"b\"_:_{_}_}_", "_[_]_", "_", "[tr_ue]", "[1_2]", "[-_1]", "_\"_\"_",
      ]
      for filler in ["", " ", "1"] {
        expectAgreement(on: texts.map { Array($0.replacing("_", with: blank).utf8) }, before: filler)
      }
    }
  }

  @Test func `a text of 4 GB is too large for both`() {
    let text: [UInt8] = [UInt8(ascii: "1")]
    // Neither reads a byte of it.
    text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return }
      for parse in [cjson_parse, csimdjson_parse_with_simdjson] {
        #expect(parse(start, Int(UInt32.max) + 1).status == csimdjson_too_large)
      }
    }
  }
}

private let suites = ProcessInfo.processInfo.environment["QUIRE_SUITES"]

/// Both parsers, with the texts of public test suites.
@Suite(
  ParserOutcome.isComparable, .enabled(if: suites != nil, "set QUIRE_SUITES to the folder of the conformance suites"))
struct PortableParserConformanceTests {
  @Test func `every case of the JSON suites is read or refused alike`() throws {
    let folder = URL(filePath: try #require(suites))
    for name in ["json-parsing.json", "json-transform-inputs.json", "jsonpath-cts.json"] {
      let data = try Data(contentsOf: folder.appending(path: name))
      expectAgreement(on: [Array(data)])
      guard let cases = try JSONDocument(data).root["cases"] else { continue }
      for each in cases.elements {
        let text = try #require(each["base64"]?.string.flatMap { Data(base64Encoded: $0) })
        for filler in PortableParserTests.fillers { expectAgreement(on: [Array(text)], before: filler) }
      }
    }
  }
}
