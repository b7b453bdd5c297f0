/// The SHA-256 digest of FIPS 180-4, for secrets that a cache must distinguish but not store.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]

  /// Returns the digest of the bytes, 32 bytes long.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var message = bytes
    let bits = UInt64(message.count) * 8
    message.append(0x80)
    message.append(contentsOf: repeatElement(0, count: (120 - message.count % 64) % 64))
    withUnsafeBytes(of: bits.bigEndian) { message.append(contentsOf: $0) }
    var hash = SHA256()
    message.withUnsafeBytes { message in
      for place in stride(from: 0, to: message.count, by: 64) {
        hash.mix(UnsafeRawBufferPointer(rebasing: message[place..<place + 64]))
      }
    }
    return hash.state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private mutating func mix(_ block: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for at in 0..<16 {
        words[at] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: at * 4, as: UInt32.self))
      }
      for at in 16..<64 {
        let (a, b) = (words[at - 15], words[at - 2])
        let s0 = Self.turn(a, 7) ^ Self.turn(a, 18) ^ a >> 3
        let s1 = Self.turn(b, 17) ^ Self.turn(b, 19) ^ b >> 10
        words[at] = words[at - 16] &+ s0 &+ words[at - 7] &+ s1
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      Self.rounds.withUnsafeBufferPointer { rounds in
        for at in 0..<64 {
          let s1 = Self.turn(e, 6) ^ Self.turn(e, 11) ^ Self.turn(e, 25)
          let one = h &+ s1 &+ (e & f ^ ~e & g) &+ rounds[at] &+ words[at]
          let s0 = Self.turn(a, 2) ^ Self.turn(a, 13) ^ Self.turn(a, 22)
          let two = s0 &+ (a & b ^ a & c ^ b & c)
          (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
        }
      }
      for (at, word) in [a, b, c, d, e, f, g, h].enumerated() { state[at] &+= word }
    }
  }

  @inline(__always)
  private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let rounds: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

extension SHA256 {
  /// Returns the salted digest of a text as 32 hexadecimal digits: its first half, which is enough to
  /// distinguish texts.
  package static func name(of text: String, salt: [UInt8]) -> String {
    name(of: Array(text.utf8), salt: salt)
  }

  /// Returns the salted digest of bytes in the same form.
  package static func name(of bytes: [UInt8], salt: [UInt8] = []) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let digest = digest(salt + bytes).prefix(16)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
