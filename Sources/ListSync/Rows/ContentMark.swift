internal import ListReading

/// The mark of a content: a hash that is the same in every process, and never ``RowTable/noMark``.
///
/// Its lower 16 bits may be those of the row's stamp, so that only the others are compared. It is not cryptographic.
/// Among a million changes, one is overlooked by chance with a probability of 10^-8.
package enum ContentMark {
  private static let stampBits = 16

  package static func of(_ text: String) -> UInt64 { max(1 << stampBits, ContentDigest(text).mark) }

  package static func of(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { max(1 << stampBits, ContentDigest($0).mark) }
  }

  /// Returns a mark with the hash of a stamp in it.
  package static func adding(_ stamp: String, to mark: UInt64) -> UInt64 {
    (mark >> stampBits) << stampBits | of(stamp) >> (64 - stampBits)
  }

  package static func isSameContent(_ a: UInt64, _ b: UInt64) -> Bool { a >> stampBits == b >> stampBits }

  /// Whether the stamps of two marks are the same.
  package static func isSameStamp(_ a: UInt64, _ b: UInt64) -> Bool {
    a & (1 << stampBits - 1) == b & (1 << stampBits - 1)
  }
}
