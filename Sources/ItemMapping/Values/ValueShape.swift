/// The memory layout of a type, known when a plan is made, so that values are stored directly
/// without calling the type.
public struct ValueShape: Sendable {
  enum Kind: Sendable {
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
  let takesNull: Bool
  /// The type with this memory layout; `nil` if the shape describes none.
  private let type: ObjectIdentifier?

  init(_ kind: Kind, of type: any Any.Type, takesNull: Bool = false) {
    self.kind = kind
    self.takesNull = takesNull
    self.type = ObjectIdentifier(type)
  }

  private init(takesNull: Bool) {
    kind = .other
    self.takesNull = takesNull
    type = nil
  }

  /// A type that only its own code can read.
  public static let other = ValueShape(takesNull: false)

  /// A type that only its own code can read, and that has a value for `null`.
  public static let otherOrNull = ValueShape(takesNull: true)

  /// Returns the shape if it is the type's own. A type can return the shape of another type, such
  /// as `Int.shape`, and direct stores must not trust that.
  static func proven<Value: JSONValue>(of type: Value.Type) -> ValueShape {
    let declared = type.shape
    return declared.type == ObjectIdentifier(type)
      ? declared : ValueShape(takesNull: declared.takesNull)
  }

  /// Returns the shape of an optional around a type.
  static func optional<Wrapped: JSONValue>(_ wrapped: Wrapped.Type) -> ValueShape {
    let shape = proven(of: wrapped)
    return shape.takesNull
      ? .otherOrNull : ValueShape(shape.kind, of: Wrapped?.self, takesNull: true)
  }
}
