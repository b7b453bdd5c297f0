internal import ServerAPI

/// A digest of the content of a response: its length, and a hash that is the same in every process.
///
/// It is not cryptographic. A server that forges equal digests only keeps its own rows from changing.
package struct ContentDigest: Hashable, Sendable {
  var hash: UInt64
  var count: Int

  /// The hash alone, which depends on the length, too.
  package var mark: UInt64 { hash }

  init(_ body: ResponseBody) {
    self = body.withUnsafeBytes { ContentDigest($0) }
  }

  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { ContentDigest(UnsafeRawBufferPointer($0)) }
  }

  package init(_ bytes: UnsafeRawBufferPointer) {
    count = bytes.count
    // Four independent sums, since each step waits for the previous one of its sum.
    var sums = (Self.odd.0, Self.odd.1, Self.odd.2, Self.odd.3)
    var at = 0
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    while at + 32 <= bytes.count {
      sums.0 = Self.mixed(sums.0 ^ word(at), Self.odd.1)
      sums.1 = Self.mixed(sums.1 ^ word(at + 8), Self.odd.2)
      sums.2 = Self.mixed(sums.2 ^ word(at + 16), Self.odd.3)
      sums.3 = Self.mixed(sums.3 ^ word(at + 24), Self.odd.0)
      at += 32
    }
    while at + 8 <= bytes.count {
      sums.0 = Self.mixed(sums.0 ^ word(at), Self.odd.2)
      at += 8
    }
    var rest: UInt64 = 0
    while at < bytes.count {
      rest = rest << 8 | UInt64(bytes[at])
      at += 1
    }
    let ends = Self.mixed(sums.0 ^ rest, Self.odd.3) ^ sums.1
    hash = Self.mixed(
      Self.mixed(ends, Self.odd.0) ^ sums.2 ^ UInt64(truncatingIfNeeded: count),
      sums.3 | 1)
  }

  /// Odd numbers with about as many ones as zeros.
  private static var odd: (UInt64, UInt64, UInt64, UInt64) {
    (
      0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f,
      0xe703_7ed1_a0b4_28db
    )
  }

  /// Combines both halves of the product, so that every bit affects every other.
  @inline(__always)
  private static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (high, low) = (a ^ b &* 3).multipliedFullWidth(by: b)
    return high ^ low
  }
}
