import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct ByteCodingTests {
  @Test func `whole numbers come back, small ones in one byte`() throws {
    for number in [0, 1, -1, 63, -64, 64, 300, .max, .min, .max - 1, .min + 1] {
      var writer = ByteWriter()
      writer.write(number)
      if (-64..<64).contains(number) { #expect(writer.bytes.count == 1) }
      var reader = ByteReader(writer.bytes)
      #expect(try reader.number() == number)
      #expect(reader.isAtEnd)
    }
  }

  @Test func `values of every kind come back in order`() throws {
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
    #expect(try reader.optional { (r) throws(ByteReader.Broken) in try r.number() } == nil)
    #expect(try reader.optional { (r) throws(ByteReader.Broken) in try r.number() } == 9)
    #expect(try reader.array { (r) throws(ByteReader.Broken) in try r.text() } == ["a", ""])
    #expect(reader.isAtEnd)
  }

  @Test func `bytes that are cut off throw at every length`() {
    var writer = ByteWriter()
    writer.write(1_000_000)
    writer.write("text")
    writer.write(2.5)
    for count in 0..<writer.bytes.count {
      #expect(throws: ByteReader.Broken.self) {
        var reader = ByteReader(Array(writer.bytes.prefix(count)))
        _ = try reader.number()
        _ = try reader.text()
        _ = try reader.double()
      }
    }
  }

  @Test func `random bytes never trap`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      var reader = ByteReader(bytes)
      _ = try? reader.number()
      _ = try? reader.text()
      _ = try? reader.array { (r) throws(ByteReader.Broken) in try r.content() }
      _ = try? reader.optional { (r) throws(ByteReader.Broken) in try r.flag() }
      _ = try? reader.double()
    }
  }

  @Test(arguments: [
    [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
    [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0x03], [],
  ])
  func `a length that can't be is refused`(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    #expect(throws: ByteReader.Broken.self) { try reader.text() }
  }
}

@Suite struct SHA256Tests {
  private func digits(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `known texts have the digests that the standard says`(text: String, digest: String) {
    #expect(digits(SHA256.digest(text.utf8)) == digest)
  }

  @Test func `a million letters have the digest that the standard says`() {
    let digest = SHA256.digest([UInt8](repeating: 0x61, count: 1_000_000))
    #expect(digits(digest) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `a name depends on the salt and on the text`() {
    let name = SHA256.name(of: "secret", salt: [1])
    #expect(name.utf8.count == 32)
    #expect(name == SHA256.name(of: "secret", salt: [1]))
    #expect(name != SHA256.name(of: "secret", salt: [2]))
    #expect(name != SHA256.name(of: "secreu", salt: [1]))
  }
}
