import CSimdJSON
import Foundation
import QuireTesting
import Testing

/// Random texts, for the parser in C and for simdjson.
@Suite(ParserOutcome.isComparable)
struct PortableParserRandomTests {
  @Test(arguments: try SeededGenerator.runs(3))
  func `random documents and damaged ones are read or refused alike`(_ seeded: SeededGenerator) {
    var random = RandomJSON(random: seeded)
    for _ in 0..<Thoroughness.runs(600) {
      let document = random.document()
      expectAgreement(on: [document], before: random.filler())
      for _ in 0..<5 { expectAgreement(on: [random.damaged(document)], before: random.filler()) }
    }
  }

  @Test(arguments: try SeededGenerator.runs(3))
  func `random numbers are read or refused alike`(_ seeded: SeededGenerator) {
    var random = RandomJSON(random: seeded)
    for _ in 0..<Thoroughness.runs(1_000) {
      let number = random.number()
      expectAgreement(on: [Array("[\(number)]".utf8), Array(number.utf8)], before: random.filler())
    }
  }
}

struct ParserPoolTests {
  @Test func `the parser that was released last is used first`() throws {
    let text = Array("[1]".utf8) + Array(repeating: 0, count: Int(CSIMDJSON_PADDING))
    for parse in [cjson_parse, csimdjson_parse_with_simdjson] {
      let parsers = try (0..<3).map { _ in try #require(parse(text, 3).parser) }
      for parser in parsers { csimdjson_release(parser) }
      let next = try #require(parse(text, 3).parser)
      csimdjson_release(next)
      #expect(next == parsers.last)
    }
  }
}

/// Both parsers keep their memory for later, on all threads.
struct ParserPoolRaceTests {
  @Test func `threads that parse at once get the documents of their own texts`() async {
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { round in
            let number = UInt64(task * 1_000 + round)
            let text = Array("[\(number),\"\(number)\"]".utf8)
            return [ParserOutcome.portable(text), .simdjson(text)].allSatisfy { outcome in
              outcome.document?.tape[3] == number
                && outcome.document?.strings.first?.dropFirst(4).dropLast() == Array("\(number)".utf8)[...]
            }
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}

/// Writes random JSON, in part malformed.
struct RandomJSON {
  var random: SeededGenerator

  mutating func filler() -> String { PortableParserTests.fillers.randomElement(using: &random) ?? "" }

  mutating func document() -> [UInt8] {
    var text: [UInt8] = []
    value(&text, depth: 0)
    return text
  }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func pick(_ texts: String...) -> String { texts.randomElement(using: &random) ?? "" }

  private mutating func blanks(_ text: inout [UInt8]) {
    if chance(6) { text += pick(" ", "\n", "\t", "\r\n", "        ", "\n    ", "                 ", "\n  \t").utf8 }
  }

  private mutating func value(_ text: inout [UInt8], depth: Int) {
    blanks(&text)
    switch Int.random(in: 0..<(depth > 5 ? 4 : 7), using: &random) {
    case 0: text += number().utf8
    case 1, 2: string(&text)
    case 3: text += pick("true", "false", "null").utf8
    case 4, 5:
      text += "{".utf8
      for member in 0..<Int.random(in: 0...5, using: &random) {
        if member > 0 { text += ",".utf8 }
        blanks(&text)
        string(&text)
        blanks(&text)
        text += ":".utf8
        value(&text, depth: depth + 1)
      }
      blanks(&text)
      text += "}".utf8
    default:
      text += "[".utf8
      for element in 0..<Int.random(in: 0...5, using: &random) {
        if element > 0 { text += ",".utf8 }
        value(&text, depth: depth + 1)
      }
      blanks(&text)
      text += "]".utf8
    }
    blanks(&text)
  }

  private mutating func string(_ text: inout [UInt8]) {
    text += "\"".utf8
    for _ in 0..<Int.random(in: 0...(chance(4) ? 70 : 12), using: &random) {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: text += pick("\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\u00E9", "\\ud83d\\ude00", "\\u0000").utf8
      case 1: text += pick("é", "漢字", "😀", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10FFFF}").utf8
      case 2 where chance(20):
        text +=
          [
            [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0x1F],
            Array("\\ud800".utf8), Array("\\udc00".utf8), Array("\\ud83d\\u0041".utf8), Array("\\x".utf8),
          ].randomElement(using: &random) ?? []
      default: text.append(UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random))
      }
    }
    text += "\"".utf8
  }

  private mutating func digits(_ count: ClosedRange<Int>) -> String {
    let count = Int.random(in: count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return String(repeating: "0", count: count)
    case 1: return String(repeating: "9", count: count)
    default: return (0..<count).reduce(into: "") { text, _ in text += "\(Int.random(in: 0...9, using: &random))" }
    }
  }

  mutating func number() -> String {
    let sign = chance(3) ? "-" : ""
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return sign + digits(1...22)
    case 1:
      return sign + "\(UInt64.random(in: .min ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random))"
    case 2: return sign + digits(1...20) + "." + digits(1...25)
    case 3: return sign + digits(1...20) + pick("e", "E", "e+", "e-") + "\(Int.random(in: 0..<350, using: &random))"
    case 4:
      return sign + digits(1...1) + "." + digits(1...20) + pick("e", "e-")
        + "\(Int.random(in: 0..<400, using: &random))"
    case 5: return sign + "0." + String(repeating: "0", count: Int.random(in: 0..<40, using: &random)) + digits(1...30)
    default:
      let double = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
      guard double.isFinite else { return "0" }
      // Its digits, too few of them, or all of the number half a step above it.
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return "\(double)"
      case 1: return String(format: "%.*g", Int.random(in: 1...20, using: &random), double)
      default: return HalfwayNumber(above: double.magnitude).text + pick("", "0", "1", "e0", "0001e-2")
      }
    }
  }

  mutating func damaged(_ document: [UInt8]) -> [UInt8] {
    var text = document
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...text.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where place < text.count: text[place] = UInt8.random(in: 0...255, using: &random)
      case 1 where place < text.count: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: text.removeSubrange(place..<min(text.count, place + 3))
      case 3 where chance(3): text.removeSubrange(place...)
      case 4 where !text.isEmpty:
        let start = Int.random(in: 0..<text.count, using: &random)
        text.insert(contentsOf: text[start..<min(text.count, start + 12)], at: place)
      default:
        let piece = pick(
          "\"", "\\", "{", "}", "[", "]", ",", ":", "1", "e", "-", ".", "0", " ", "true", "\\u", "[]", "\"\":")
        text.insert(contentsOf: piece.utf8, at: place)
      }
    }
    return text
  }
}
