/// An enum that allows for new cases: a raw value without a case is kept.
///
/// ```swift
/// enum Kind: String, JSONValue { case book, film }
/// var kind = OpenEnum<Kind>.known(.book)
/// ```
public enum OpenEnum<Known: RawRepresentable & JSONValue> where Known.RawValue: JSONValue {
  /// A raw value with a case.
  case known(Known)
  /// A raw value without a case.
  case unknown(Known.RawValue)

  /// Creates the case for a raw value, or keeps the raw value.
  public init(rawValue: Known.RawValue) {
    self = Known(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue)
  }

  /// The raw value, as the server sent it.
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let known): known.rawValue
    case .unknown(let raw): raw
    }
  }

  /// The case, if the raw value has one.
  public var known: Known? { if case .known(let known) = self { known } else { nil } }
}

extension OpenEnum: Sendable where Known: Sendable, Known.RawValue: Sendable {}
extension OpenEnum: Equatable where Known: Equatable, Known.RawValue: Equatable {}
extension OpenEnum: Hashable where Known: Hashable, Known.RawValue: Hashable {}

extension OpenEnum: JSONValue, BuiltInValue {
  /// Reads any raw value.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> OpenEnum? {
    Known.RawValue.read(place, in: &run).map(OpenEnum.init(rawValue:))
  }

  /// Returns the raw value as JSON.
  func json(as style: JSONAny.Style) -> JSONAny? { rawValue.write(as: style) }
}
