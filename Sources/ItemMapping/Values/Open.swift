/// An enum that new cases are expected for: a raw value without a case is kept.
///
/// ```swift
/// enum Kind: String, JSONValue { case book, film }
/// var kind = Open<Kind>.known(.book)
/// ```
public enum Open<Known: RawRepresentable & JSONValue> where Known.RawValue: JSONValue {
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

extension Open: Sendable where Known: Sendable, Known.RawValue: Sendable {}
extension Open: Equatable where Known: Equatable, Known.RawValue: Equatable {}
extension Open: Hashable where Known: Hashable, Known.RawValue: Hashable {}

extension Open: JSONValue {
  /// Any raw value.
  public static func read(_ place: JSONPlace, in run: inout MappingRun) -> Open? {
    Known.RawValue.read(place, in: &run).map(Open.init(rawValue:))
  }

  /// The raw value.
  public func write(as style: JSONStyle) -> JSONAny? { rawValue.write(as: style) }
}
