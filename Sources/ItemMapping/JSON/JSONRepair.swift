/// Something a text was read in spite of.
public struct JSONRepair: Sendable, Hashable {
  /// What was found.
  public enum Kind: String, Sendable, Hashable {
    /// A byte order mark before the text. It is skipped.
    case byteOrderMark
    /// A number beyond 64 bits, or beyond what a `Double` holds. Its digits are kept as text.
    case bigNumber
    /// An escape such as `\uD800` that is half of a character. It became U+FFFD.
    case loneSurrogate
  }

  /// What was found.
  public let kind: Kind
  /// Where it begins, in bytes.
  public let offset: Int
}
