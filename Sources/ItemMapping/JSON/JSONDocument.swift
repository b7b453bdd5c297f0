internal import CSimdJSON
internal import Synchronization

/// A parsed JSON document. Its values are read through ``root``.
///
/// A document never changes, so any number of threads may read it at once. Its memory returns to
/// the parser when the last view is released, so keep the values you read rather than the views.
///
/// `@unchecked Sendable` holds because nothing writes to the memory behind the pointers after
/// `init` returns, and `deinit` releases it when no other reference is left.
public final class JSONDocument: @unchecked Sendable {
  /// The faults in the text that the parser repaired, in order.
  public let repairs: [JSONDocument.Repair]

  let tape: JSONTape
  /// A number that no other document of this process has or had.
  let number = JSONDocument.numbers.add(1, ordering: .relaxed).newValue
  private let parsed: JSONLoading.Parsed
  /// The owner of the text's memory, if it was not copied.
  package let owner: (any Sendable)?
  private let offsets = Atomic<UnsafeMutablePointer<UInt32>?>(nil)
  private let fractions = Atomic(Fractions.unknown)

  private static let numbers = Atomic<UInt64>(0)

  private init(_ loading: consuming JSONLoading, keeping owner: (any Sendable)?) throws(JSONError) {
    let parsed = try loading.parse()
    self.parsed = parsed
    self.owner = owner
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

  /// Parses bytes in place, without a copy.
  ///
  /// - Parameters:
  ///   - bytes: The text. It must neither change nor be freed while `owner` is alive.
  ///   - padding: The number of readable bytes after the text; their content doesn't matter. With
  ///     fewer than 64 the text is copied.
  ///   - owner: The object that keeps the memory alive. The document retains it.
  public convenience init(
    unsafeBytes bytes: UnsafeRawBufferPointer, padding: Int, keeping owner: any Sendable
  ) throws(JSONError) {
    if padding >= Int(CSIMDJSON_PADDING), bytes.baseAddress != nil {
      try self.init(JSONLoading(borrowing: bytes), keeping: owner)
    } else {
      try self.init(JSONLoading(copying: bytes), keeping: nil)
    }
  }

  deinit {
    offsets.load(ordering: .relaxed)?.deallocate()
    parsed.release()
  }

  /// The outermost value.
  public var root: JSONView { JSONView(document: self, index: JSONTape.root) }

  /// The text the document was parsed from.
  var text: UnsafeBufferPointer<UInt8> { parsed.structurals.text }

  /// The structural characters of the text.
  var structurals: JSONStructurals { parsed.structurals }

  /// The position in the text of each value. Computed on first use.
  var textOffsets: JSONOffsets {
    if let places = offsets.load(ordering: .acquiring) { return JSONOffsets(places: places) }
    let made = JSONOffsets(parsed)
    let other = offsets.compareExchange(
      expected: nil, desired: made.places, ordering: .acquiringAndReleasing
    ).original
    guard let other else { return made }
    made.places.deallocate()
    return JSONOffsets(places: other)
  }

  /// What is known about the digits of all numbers with a decimal point or an exponent.
  private enum Fractions: UInt8, AtomicRepresentable { case unknown, short, long }

  /// Whether each `Double` on the tape is the only number of up to 15 digits that it can be. Computed on first use.
  @inline(__always)
  var hasOnlyShortFractions: Bool {
    switch fractions.load(ordering: .relaxed) {
    case .short: true
    case .long: false
    case .unknown: measureFractions()
    }
  }

  @inline(never)
  private func measureFractions() -> Bool {
    let areLong = JSONNumberText.hasLongFraction(in: text)
    fractions.store(areLong ? .long : .short, ordering: .relaxed)
    return !areLong
  }
}

extension JSONDocument {
  /// The first member of ``root`` with this name, or `nil` if it is missing or the root is not an
  /// object.
  public subscript(name: String) -> JSONView? { root[name] }

  /// The element of ``root`` at this position, or `nil` if it is missing or the root is not an array.
  /// A negative position counts from the end.
  public subscript(position: Int) -> JSONView? { root[position] }

  /// The value at a path, or `nil` if it is missing.
  public subscript(path: JSONPath) -> JSONView? { root[path] }
}

extension JSONDocument {
  /// A fault in a text that the parser repaired.
  public struct Repair: Sendable, Hashable {
    /// The kind of fault.
    public enum Kind: String, Sendable, Hashable {
      /// A byte order mark before the text. It is skipped.
      case byteOrderMark
      /// A number beyond 64 bits, or beyond the range of a `Double`. Its digits are kept as text.
      case bigNumber
      /// An escape such as `\uD800` that is half of a character. It is replaced by U+FFFD.
      case loneSurrogate
    }

    /// The kind of fault.
    public let kind: Kind
    /// The position of the fault, in bytes.
    public let offset: Int
  }
}
