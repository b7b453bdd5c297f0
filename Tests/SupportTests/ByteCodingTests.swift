import QuireTesting
import Support
import Testing

@Suite struct ByteCodingTests {
  @Test func `integers round-trip, small ones in one byte`() throws {
    for number in [0, 1, -1, 63, -64, 64, 300, 1 << 53, -(1 << 53)] {
      var writer = ByteWriter()
      writer.write(number)
      if (-64..<64).contains(number) { #expect(writer.bytes.count == 1) }
      var reader = ByteReader(writer.bytes)
      #expect(try reader.number() == number)
      #expect(reader.isAtEnd)
    }
  }

  @Test func `integers that arithmetic could overflow are refused`() {
    for number in [(1 << 53) + 1, -(1 << 53) - 1, .max, .min] {
      var writer = ByteWriter()
      writer.write(number)
      var reader = ByteReader(writer.bytes)
      #expect(throws: ByteReader.InvalidBytes.self) { try reader.number() }
    }
  }

  @Test func `values of every type round-trip in order`() throws {
    var writer = ByteWriter()
    writer.write(-0.5)
    writer.write(Double.infinity)
    writer.write(true)
    writer.write("é\u{0}\"")
    writer.write([UInt8]([1, 2, 255]))
    writer.write(Int?.none) { $0.write($1) }
    writer.write(Int?.some(9)) { $0.write($1) }
    writer.write(["a", ""]) { $0.write($1) }
    var reader = ByteReader(writer.bytes)
    #expect(try reader.double() == -0.5)
    #expect(try reader.double() == .infinity)
    #expect(try reader.flag())
    #expect(try reader.text() == "é\u{0}\"")
    #expect(try reader.content() == [1, 2, 255])
    #expect(try reader.optional { (r) throws(ByteReader.InvalidBytes) in try r.number() } == nil)
    #expect(try reader.optional { (r) throws(ByteReader.InvalidBytes) in try r.number() } == 9)
    #expect(try reader.array { (r) throws(ByteReader.InvalidBytes) in try r.text() } == ["a", ""])
    #expect(reader.isAtEnd)
  }

  @Test func `truncated bytes throw at every length`() {
    var writer = ByteWriter()
    writer.write(1_000_000)
    writer.write("text")
    writer.write(2.5)
    for count in 0..<writer.bytes.count {
      #expect(throws: ByteReader.InvalidBytes.self) {
        var reader = ByteReader(Array(writer.bytes.prefix(count)))
        _ = try reader.number()
        _ = try reader.text()
        _ = try reader.double()
      }
    }
  }

  @Test func `random bytes never trap`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(20_000) {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      var reader = ByteReader(bytes)
      _ = try? reader.number()
      _ = try? reader.text()
      _ = try? reader.array { (r) throws(ByteReader.InvalidBytes) in try r.content() }
      _ = try? reader.optional { (r) throws(ByteReader.InvalidBytes) in try r.flag() }
      _ = try? reader.double()
    }
  }

  @Test(arguments: [
    [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
    [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0x03], [],
  ])
  func `an impossible length is rejected`(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    #expect(throws: ByteReader.InvalidBytes.self) { try reader.text() }
  }
}
