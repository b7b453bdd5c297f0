internal import Support

/// The id of a row, by which it is recognized in every page.
///
/// Made from any `Hashable` value. Integers are equal regardless of their width, so a literal finds a row
/// whose id is an `Int64`.
///
/// Ids of JSON are equal if their JSON is. Texts are compared by their bytes: servers have two rows whose names differ only
/// in how an accent is encoded. A number is the one that is written, so `1`, `1.0` and `"1"` are three ids, and so are `0`
/// and `-0`. `true` and `false` are ids, an empty text is one like any other, and `null` is none: such rows are all
/// different ones, also in a list whose items have an optional id.
public enum RowID: Hashable, Sendable {
  /// An integer.
  case number(Int)
  /// A string.
  case text(String)
  /// Any other value.
  case other(Other)

  /// An id of any other type. It takes one reference, so that the index of a long list stays small.
  public final class Other: Hashable, Sendable {
    private let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) { self.value = value }

    /// Whether the values are equal.
    public static func == (a: Other, b: Other) -> Bool {
      AnyHashable(a.value) == AnyHashable(b.value)
    }

    /// Hashes the value. Numbers of different types that are equal have one hash.
    public func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }

    fileprivate var text: String { "\(value)" }

    fileprivate var isNil: Bool { (value as? any OptionalValue)?.isNil ?? false }
  }

  /// Creates an id from a value.
  @inlinable
  public init(_ id: some Hashable & Sendable) {
    switch id {
    case let id as Int: self = .number(id)
    case let id as String: self = .text(id)
    case let id as RowID: self = id
    case let id as Substring: self = .text(String(id))
    default: self = RowID(unusual: id)
    }
  }

  @usableFromInline
  init(unusual id: any Hashable & Sendable) {
    if let id = id as? any BinaryInteger, let number = Int(exactly: id) {
      self = .number(number)
    } else {
      self = .other(Other(id))
    }
  }
}

extension RowID {
  /// Whether this stands for no id: `nil` of an optional.
  var isMissing: Bool { if case .other(let other) = self { other.isNil } else { false } }

  /// Returns the id of a row that has none of its own.
  static func unique() -> RowID { .other(Other(UniqueRow())) }

  /// Whether the ids are equal; texts by their bytes.
  public static func == (a: RowID, b: RowID) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): a == b
    case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
    case (.other(let a), .other(let b)): a == b
    case (.number, _), (.text, _), (.other, _): false
    }
  }

  /// Hashes the id; a text by its bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .number(let number):
      hasher.combine(0 as UInt8)
      hasher.combine(number)
    case .text(var text):
      hasher.combine(1 as UInt8)
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .other(let other):
      hasher.combine(2 as UInt8)
      hasher.combine(other)
    }
  }

  /// Differs in each process, so that a server can't choose numbers that collide in the index.
  private static let seed = UInt64(truncatingIfNeeded: 0.hashValue)

  /// The hash for the index of a list. Integers are only mixed, which takes a tenth of the time of hashing.
  package var indexHash: Int {
    guard case .number(let number) = self else { return hashValue }
    return Int(truncatingIfNeeded: Self.mixed(UInt64(truncatingIfNeeded: number)))
  }

  /// Returns a hash of these bits.
  static func mixed(_ bits: UInt64) -> UInt64 {
    var bits = bits ^ seed
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return bits ^ bits >> 31
  }
}

extension RowID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// Creates an integer id.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// Creates a string id.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension RowID: CustomStringConvertible {
  /// The id as a string.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): text
    case .other(let other): other.text
    }
  }
}

/// The id of a row without one, equal to no other.
private final class UniqueRow: Hashable, Sendable {
  static func == (a: UniqueRow, b: UniqueRow) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}
