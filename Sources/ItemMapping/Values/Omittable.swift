/// A value that distinguishes "not mentioned" from `null`, for requests that change parts of an
/// object.
public enum Omittable<Value: JSONValue> {
  /// The object has no such member.
  case missing
  /// The member is `null`.
  case null
  /// The member has a value.
  case value(Value)

  /// The value, if there is one.
  public var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension Omittable: Sendable where Value: Sendable {}
extension Omittable: Equatable where Value: Equatable {}
extension Omittable: Hashable where Value: Hashable {}

extension Omittable: JSONValue, BuiltInContainer, NullConvertible {
  /// Reads `null` or the value. For a missing member the property keeps its default.
  static func value(at place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Omittable? {
    run.tag(place) == JSONTape.Tag.null
      ? .null : Value.read(place, in: &run).map(Omittable.value)
  }

  /// Returns `null` or the updated value.
  static func value(
    _ patch: Omittable, updatedFrom place: ItemMapper.Run.Place, in run: inout ItemMapper.Run
  ) -> Omittable? {
    guard case .value(let value) = patch, run.tag(place) != JSONTape.Tag.null else {
      return read(place, in: &run)
    }
    return Value.updated(value, from: place, in: &run).map(Omittable.value)
  }

  /// Returns the value or `null`; `missing` omits the member.
  func json(as style: JSONAny.Style) -> JSONAny? {
    switch self {
    case .missing: nil
    case .null: .null
    case .value(let value): value.write(as: style)
    }
  }

  /// Returns the same case, with a copy of the value.
  func copy() -> Omittable {
    if case .value(let value) = self { .value(value.copied()) } else { self }
  }

  /// Returns whether both are missing, both `null`, or both have equivalent values.
  func equals(_ other: Omittable) -> Bool {
    switch (self, other) {
    case (.missing, .missing), (.null, .null): true
    case (.value(let value), .value(let other)): value.isSame(as: other)
    default: false
    }
  }
}
