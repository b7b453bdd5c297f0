internal import CSimdJSON
internal import Synchronization

/// A parsed JSON document. Its values are read through ``root``.
///
/// A document never changes, so any number of threads may read it at once. Its memory goes back to
/// the parser when the last view is gone, so hold on to what was read, not to views.
///
/// `@unchecked Sendable` holds because nothing writes to the memory behind the pointers once `init`
/// has returned, and `deinit` gives it back when no other reference is left.
public final class JSONDocument: @unchecked Sendable {
  /// What the text was read in spite of, in order.
  public let repairs: [JSONDocument.Repair]

  let tape: JSONTape
  /// Tells it from all other documents, also from those that are gone.
  let number = JSONDocument.numbers.add(1, ordering: .relaxed).newValue
  private let parsed: JSONLoading.Parsed
  /// The memory the text lies in, where it is not our own.
  private let keeper: (any Sendable)?
  private let offsets = AtomicLazyReference<JSONOffsets>()

  private static let numbers = Atomic<UInt64>(0)

  private init(_ loading: consuming JSONLoading, keeping keeper: (any Sendable)?) throws(JSONError)
  {
    let parsed = try loading.parse()
    self.parsed = parsed
    self.keeper = keeper
    repairs = parsed.repairs
    tape = parsed.tape
  }

  /// Parses a copy of these bytes.
  public convenience init(_ bytes: some Collection<UInt8>) throws(JSONError) {
    try self.init(JSONLoading(copying: bytes), keeping: nil)
  }

  /// Parses a text.
  public convenience init(_ text: String) throws(JSONError) {
    try self.init(JSONLoading(copying: text.utf8), keeping: nil)
  }

  /// Parses bytes where they lie, which saves a copy.
  ///
  /// - Parameters:
  ///   - bytes: The text. It must neither change nor go away as long as `owner` lives.
  ///   - padding: How many bytes behind the text can be read, whatever they hold. With fewer than
  ///     64 the text is copied after all.
  ///   - owner: What keeps the memory alive. The document holds on to it.
  public convenience init(
    unsafeBytes bytes: UnsafeRawBufferPointer, padding: Int, keeping owner: any Sendable
  ) throws(JSONError) {
    if padding >= Int(CSIMDJSON_PADDING), bytes.baseAddress != nil {
      try self.init(JSONLoading(borrowing: bytes), keeping: owner)
    } else {
      try self.init(JSONLoading(copying: bytes), keeping: nil)
    }
  }

  deinit { parsed.release() }

  /// The outermost value.
  public var root: JSONView { JSONView(document: self, index: JSONTape.root) }

  /// The text the document was parsed from.
  var text: UnsafeBufferPointer<UInt8> { parsed.structurals.text }

  /// Where in the text each value begins. Worked out when it is first asked for.
  var textOffsets: JSONOffsets {
    offsets.load() ?? offsets.storeIfNil(JSONOffsets(parsed))
  }
}

extension JSONDocument {
  /// Something a text was read in spite of.
  public struct Repair: Sendable, Hashable {
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
}
