import QuireTesting
import Testing

@testable import TerminalList

/// Terminal input and the keys parsed from it.
struct KeyReaderTests {
  static let table: [(String, [Key])] = [
    ("a", [.character("a")]), ("q ", [.character("q"), .character(" ")]),
    ("é漢😀", ["é", "漢", "😀"].map { .character($0) }),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
    ("\u{1B}OA\u{1B}OB", [.up, .down]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
    (
      "\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}OH\u{1B}OF\u{1B}[7~\u{1B}[8~",
      [.home, .end, .home, .end, .home, .end, .home, .end]
    ),
    // With shift or control.
    ("\u{1B}[1;5A\u{1B}[5;2~", [.up, .pageUp]),
    ("\r\n", [.enter, .enter]), ("\u{7F}\u{8}", [.backspace, .backspace]),
    ("\u{C}", [.control("l")]),
    ("\u{1B}[<64;10;5M\u{1B}[<65;1;1M\u{1B}[<0;1;1M\u{1B}[<0;1;1m", [.wheelUp, .wheelDown]),
    ("\u{1B}[M`!!\u{1B}[Ma!!\u{1B}[M !q", [.wheelUp, .wheelDown]),
    // Function keys of the Linux console.
    ("\u{1B}[[Ax\u{1B}[[E", [.character("x")]),
    // Unknown sequences are dropped, and the input after them is read.
    ("\u{1B}[200~x\u{1B}[?1;2cy", [.character("x"), .character("y")]),
    ("\u{1B}q", [.escape, .character("q")]),
    ("\u{1B}[12\u{1B}[A", [.up]),
    ("\0\u{1C}a", [.character("a")]),
  ]

  @Test(arguments: table)
  func `keys are read`(text: String, keys: [Key]) {
    var reader = KeyReader()
    #expect(reader.read(Array(text.utf8)) == keys && !reader.isWaiting)
  }

  @Test(arguments: table)
  func `keys are the same when read byte by byte`(text: String, keys: [Key]) {
    var reader = KeyReader()
    #expect(Array(text.utf8).flatMap { reader.read([$0]) } == keys)
  }

  @Test func `escape is a key if nothing follows`() {
    var reader = KeyReader()
    #expect(reader.read([0x1B]).isEmpty && reader.isWaiting)
    #expect(reader.flush() == [.escape] && !reader.isWaiting)
    #expect(reader.read(Array("\u{1B}[".utf8)).isEmpty)
    #expect(reader.flush() == [.escape, .character("[")])
    #expect(reader.flush().isEmpty)
  }

  @Test func `invalid bytes are dropped`() {
    var reader = KeyReader()
    let bytes: [UInt8] = [
      0xFF, 0x61, 0xC3, 0x62, 0xE2, 0x82, 0x63, 0xED, 0xA0, 0x80, 0x64, 0xC0, 0x80,
    ]
    #expect(reader.read(bytes) == ["a", "b", "c", "d"].map { .character($0) })
    #expect(reader.read([0xE2, 0x82]).isEmpty && reader.flush().isEmpty)
  }

  @Test
  func `any input gives the same keys however it is split`()
    throws
  {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(2_000) {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Bool.random(using: &random)
          ? [0x1B, 0x5B, 0x4F, 0x41, 0x7E, 0x3B, 0x31, 0xC3, 0xA9].randomElement(using: &random)
            ?? 0
          : UInt8.random(in: 0...255, using: &random)
      }
      var (whole, pieces) = (KeyReader(), KeyReader())
      let keys = whole.read(bytes)
      #expect(bytes.flatMap { pieces.read([$0]) } == keys, "\(bytes) · \(random)")
      #expect(whole == pieces, "\(random)")
      _ = whole.flush()
      #expect(!whole.isWaiting, "\(bytes) · \(random)")
    }
    var reader = KeyReader()
    _ = reader.read([0x1B, 0x5B])
    for _ in 0..<100 { _ = reader.read([0x31]) }
    #expect(reader.read([0x61]) == [.character("a")])
  }
}
