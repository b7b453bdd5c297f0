/// What makes a row of a list the same row, wherever it turns up again.
///
/// Made of any `Hashable` value. Whole numbers are equal whatever their width, so that a row whose id
/// is an `Int64` is found by a literal.
public enum RowID: Hashable, Sendable {
  /// A whole number.
  case number(Int)
  /// A text.
  case text(String)
  /// Anything else that can be told apart.
  case other(Other)

  /// An id of any type. It takes one reference, so that the index of a long list stays small.
  public final class Other: Hashable, Sendable {
    private let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) { self.value = value }

    /// Equal when the values are.
    public static func == (a: Other, b: Other) -> Bool {
      AnyHashable(a.value) == AnyHashable(b.value)
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }

    fileprivate var text: String { "\(value)" }
  }

  /// The id a value stands for.
  @inlinable
  public init(_ id: some Hashable & Sendable) {
    switch id {
    case let id as Int: self = .number(id)
    case let id as String: self = .text(id)
    case let id as RowID: self = id
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
  /// Differs from run to run, so that no server can choose numbers that are alike in the index.
  private static let seed = UInt(bitPattern: 0.hashValue)

  /// What the index of a list goes by. Numbers are only mixed, in a tenth of the time of hashing them.
  var indexHash: Int {
    guard case .number(let number) = self else { return hashValue }
    var bits = UInt(bitPattern: number) ^ Self.seed
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return Int(bitPattern: bits ^ bits >> 31)
  }
}

extension RowID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// A number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension RowID: CustomStringConvertible {
  /// The id as text.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): text
    case .other(let other): other.text
    }
  }
}
