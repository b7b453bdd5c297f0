/// A value that tells "not mentioned" from "`null`", for requests that change a part of something.
public enum Omittable<Value: JSONValue> {
  /// There is no such member.
  case missing
  /// The member is `null`.
  case null
  /// The member has a value.
  case value(Value)

  /// The value, where there is one.
  public var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension Omittable: Sendable where Value: Sendable {}
extension Omittable: Equatable where Value: Equatable {}
extension Omittable: Hashable where Value: Hashable {}

extension Omittable: JSONValue {
  /// `null` or the value. The default of the property is what a missing member leaves.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> Omittable? {
    run.tag(place) == JSONTape.Tag.null
      ? .null : Value.read(place, in: &run).map(Omittable.value)
  }

  /// `null`, or the value's update.
  public static func updated(
    _ patch: Omittable, from place: MappingRun.Place, in run: inout MappingRun
  ) -> Omittable? {
    guard case .value(let value) = patch, run.tag(place) != JSONTape.Tag.null else {
      return read(place, in: &run)
    }
    return Value.updated(value, from: place, in: &run).map(Omittable.value)
  }

  /// The value or `null`; a missing one leaves the member out.
  public func write(as style: JSONAny.Style) -> JSONAny? {
    switch self {
    case .missing: nil
    case .null: .null
    case .value(let value): value.write(as: style)
    }
  }

  /// A patch around a copy.
  public func copied() -> Omittable {
    if case .value(let value) = self { .value(value.copied()) } else { self }
  }

  /// Whether both are missing, or `null`, or have values that mean the same.
  public func isSame(as other: Omittable) -> Bool {
    switch (self, other) {
    case (.missing, .missing), (.null, .null): true
    case (.value(let value), .value(let other)): value.isSame(as: other)
    default: false
    }
  }

  /// `null` is a value too.
  public static var shape: ValueShape { .otherOrNull }
}
