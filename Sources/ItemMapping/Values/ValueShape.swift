/// The layout of a type's values in memory. It is known when a plan is made, so that values of the most
/// frequent types are stored without calling their code.
struct ValueShape: Sendable {
  enum Kind: Sendable {
    /// Only the type's own code can read it.
    case other
    case int
    case double
    case bool
    case string
    case strings
    case item(BaseItem.Type)
    case items(BaseItem.Type)
  }

  let kind: Kind
  /// Whether the type has a value for `null`.
  let acceptsNull: Bool

  init<Value: JSONValue>(of type: Value.Type) {
    kind = (type as? any DirectValue.Type)?.directKind ?? .other
    acceptsNull = type.acceptsNull
  }
}

/// A type whose values can be stored without calling its code.
private protocol DirectValue {
  static var directKind: ValueShape.Kind { get }
}

extension Int: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .int }
}

extension Int64: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .int }
}

extension Double: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .double }
}

extension Bool: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .bool }
}

extension String: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .string }
}

extension BaseItem: DirectValue {
  fileprivate static var directKind: ValueShape.Kind { .item(Self.self) }
}

extension Array: DirectValue where Element: JSONValue {
  fileprivate static var directKind: ValueShape.Kind {
    switch ValueShape(of: Element.self).kind {
    case .string where Element.self == String.self: .strings
    case .item(let type) where !Element.acceptsNull: .items(type)
    default: .other
    }
  }
}

extension Optional: DirectValue where Wrapped: JSONValue {
  fileprivate static var directKind: ValueShape.Kind {
    Wrapped.acceptsNull ? .other : ValueShape(of: Wrapped.self).kind
  }
}
