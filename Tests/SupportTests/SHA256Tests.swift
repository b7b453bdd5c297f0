import Support
import Testing

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
  func `known texts have the digests of the standard`(text: String, digest: String) {
    #expect(digits(SHA256.digest(Array(text.utf8))) == digest)
  }

  @Test func `a million letters have the digest of the standard`() {
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
