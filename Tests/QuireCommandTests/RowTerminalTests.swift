import Quire
import QuireTesting
import Testing

@testable import QuireCommand

/// No text of a server controls the terminal that rows are written to.
@Suite struct RowTerminalTests {
  private static let controls: [Unicode.Scalar] = [
    "\u{7F}", "\u{80}", "\u{9B}", "\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}",
    "\u{202E}", "\u{2066}", "\u{2069}",
  ]

  private func written(
    _ format: RowFormat, _ json: String, isTerminal: Bool = true
  ) throws -> String {
    let document = try JSONDocument(json)
    var writer = RowWriter(format, nil)
    writer.isTerminal = isTerminal
    let bytes = try writer.bytes(of: Array(document.root.elements))
    return String(decoding: bytes + writer.end(), as: UTF8.self)
  }

  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      (scalar.value >= 0x20 || scalar == "\n") && !Self.controls.contains(scalar)
        && !(0x7F...0x9F).contains(scalar.value) && !(0x202A...0x202E).contains(scalar.value)
    }
  }

  @Test(arguments: RowFormat.allCases)
  func `values and names are harmless on a terminal`(_ format: RowFormat) throws {
    let text = String(String.UnicodeScalarView(Self.controls)) + #"\u001b]0;owned\u0007"#
    let json = "[{\"id\":1,\"\(text)\":\"\(text)\"}]"
    let output = try written(format, json)
    #expect(isHarmless(output), "\(output.debugDescription)")
    // Into a file go the bytes of the server.
    let raw = try written(format, json, isTerminal: false)
    #expect(format == .table || raw.contains("\u{202E}"))
    guard format == .ndjson || format == .json else { return }
    #expect(try JSONAny(parsing: output) == JSONAny(parsing: raw))
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(300)))
  func `any text is harmless on a terminal, and the same JSON`(_ seeded: SeededGenerator) throws {
    var random = seeded
    func text() -> String {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        let bound: UInt32 = Bool.random(using: &random) ? 0xA8 : 0x2070
        let low: UInt32 = bound == 0xA8 ? 0 : 0x2000
        if let scalar = Unicode.Scalar(UInt32.random(in: low..<bound, using: &random)) {
          scalars.append(scalar)
        }
      }
      return String(scalars)
    }
    let rows = (0..<3).map { id in
      JSONAny.object(["id": .int(id), text(): .string(text()), "a": .array([.string(text())])])
    }
    let json = JSONAny.array(rows).text()
    for format in RowFormat.allCases {
      let output = try written(format, json)
      #expect(isHarmless(output), "\(output.debugDescription)")
      if format == .json {
        #expect(try JSONAny(parsing: output) == JSONAny(parsing: json))
      }
    }
  }
}
