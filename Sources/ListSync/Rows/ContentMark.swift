internal import ListReading

/// The mark of a content: a hash that is the same in every process, and never ``RowTable/noMark``.
///
/// It is not cryptographic. Among a million changes, one is overlooked by chance with a probability of 10^-13.
package enum ContentMark {
  package static func of(_ text: String) -> UInt64 { max(1, ContentDigest(text).mark) }

  package static func of(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { max(1, ContentDigest($0).mark) }
  }
}
