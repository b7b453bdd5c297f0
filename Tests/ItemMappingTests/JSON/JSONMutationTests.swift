import QuireTesting
import Testing

@testable import ItemMapping

/// Damaged documents are parsed or rejected, whatever they contain, and both parsers agree.
struct JSONMutationTests {
  private static let documents = [
    #"{"id":12,"title":"Ü\u00e9\ud83d\ude00","tags":["a","b\n"],"price":{"amount":1.10e2},"x":null}"#,
    #"[[[[-0, 1e400, 18446744073709551616, "\ud800", true, false]]], {"":{"a":[]}}, 0.5]"#,
    "\u{FEFF} [ 1 , 2 ] \n",
  ]
  private static let pieces = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "1", "e", "\\ud800", "\u{0}",
  ]

  private static func mutated(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1 where !bytes.isEmpty: bytes.remove(at: place)
      case 2:
        let piece = pieces.randomElement(using: &random) ?? ""
        bytes.insert(contentsOf: Array(piece.utf8), at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + 5))
      }
    }
    return bytes
  }

  @Test(arguments: try SeededGenerator.runs(3))
  func `any bytes are parsed or rejected, and parsed values can be written and read again`(
    _ seeded: SeededGenerator
  ) throws {
    var random = seeded
    var read = 0
    let rounds = Thoroughness.runs(3_000)
    for _ in 0..<rounds {
      for text in Self.documents {
        let bytes = Self.mutated(text, &random)
        let sound = Self.isSound(bytes)
        do throws(JSONError) {
          let document = try JSONDocument(bytes)
          #expect(sound, "read by one, refused by the other: \(bytes)")
          read += 1
          let value = JSONAny(document.root, keepingDigits: true)
          let again = try JSONDocument(value.text())
          #expect(JSONAny(again.root, keepingDigits: true) == value)
          let raw = try JSONDocument(document.root.text)
          #expect(JSONAny(raw.root, keepingDigits: true) == value)
        } catch {
          #expect(!sound, "refused by one, read by the other: \(bytes)")
          #expect(error.offset <= bytes.count)
        }
      }
    }
    if Thoroughness.current != .brief { #expect(read > rounds / 6) }
  }

  private static func isSound(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
      return (try? scanner.scan()) != nil
    }
  }
}
