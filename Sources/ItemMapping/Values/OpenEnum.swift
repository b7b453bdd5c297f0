/// An enum that new cases are expected for: a raw value without a case is kept.
///
/// ```swift
/// enum Kind: String, JSONValue { case book, film }
/// var kind = OpenEnum<Kind>.known(.book)
/// ```
public enum OpenEnum<Known: RawRepresentable & JSONValue> where Known.RawValue: JSONValue {
  /// A value there is a case for.
  case known(Known)
  /// A value there is none for.
  case unknown(Known.RawValue)

  /// The case for a raw value, or the value itself.
  public init(rawValue: Known.RawValue) {
    self = Known(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue)
  }

  /// What the server wrote.
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let known): known.rawValue
    case .unknown(let raw): raw
    }
  }

  /// The case, where there is one.
  public var known: Known? { if case .known(let known) = self { known } else { nil } }
}

extension OpenEnum: Sendable where Known: Sendable, Known.RawValue: Sendable {}
extension OpenEnum: Equatable where Known: Equatable, Known.RawValue: Equatable {}
extension OpenEnum: Hashable where Known: Hashable, Known.RawValue: Hashable {}

extension OpenEnum: JSONValue {
  /// Any raw value.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> OpenEnum? {
    Known.RawValue.read(place, in: &run).map(OpenEnum.init(rawValue:))
  }

  /// The raw value.
  public func write(as style: JSONAny.Style) -> JSONAny? { rawValue.write(as: style) }
}
