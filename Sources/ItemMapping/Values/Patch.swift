/// A value that tells "not mentioned" from "`null`", for requests that change a part of something.
public enum Patch<Value: JSONValue> {
  /// There is no such member.
  case missing
  /// The member is `null`.
  case null
  /// The member has a value.
  case value(Value)

  /// The value, where there is one.
  public var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension Patch: Sendable where Value: Sendable {}
extension Patch: Equatable where Value: Equatable {}
extension Patch: Hashable where Value: Hashable {}

extension Patch: JSONValue {
  /// `null` or the value. The default of the property is what a missing member leaves.
  public static func read(_ place: JSONPlace, in run: inout MappingRun) -> Patch? {
    run.tag(place) == JSONTape.Tag.null
      ? .null : Value.read(place, in: &run).map(Patch.value)
  }

  /// `null`, or the value's update.
  public static func updated(
    _ patch: Patch, from place: JSONPlace, in run: inout MappingRun
  ) -> Patch? {
    guard case .value(let value) = patch, run.tag(place) != JSONTape.Tag.null else {
      return read(place, in: &run)
    }
    return Value.updated(value, from: place, in: &run).map(Patch.value)
  }

  /// The value or `null`; a missing one leaves the member out.
  public func write(as style: JSONStyle) -> JSONAny? {
    switch self {
    case .missing: nil
    case .null: .null
    case .value(let value): value.write(as: style)
    }
  }

  /// A patch around a copy.
  public func copied() -> Patch {
    if case .value(let value) = self { .value(value.copied()) } else { self }
  }

  /// Whether both are missing, or `null`, or have values that mean the same.
  public func isSame(as other: Patch) -> Bool {
    switch (self, other) {
    case (.missing, .missing), (.null, .null): true
    case (.value(let value), .value(let other)): value.isSame(as: other)
    default: false
    }
  }

  /// `null` is a value too.
  public static var shape: ValueShape { .otherOrNull }
}
