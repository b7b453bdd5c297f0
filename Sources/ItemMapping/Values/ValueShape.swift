/// What can be known of a type's memory when a plan is made, so that the value is stored there
/// without asking the type.
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
  /// Whether `null` is one of the type's values.
  let takesNull: Bool
  /// The type that lies in memory like this; `nil` where no memory is told of.
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

  /// What is true of a type: anybody can hand on the shape of another one, such as `Int.shape`, and
  /// memory is only touched where it is the type's own.
  static func proven<Value: JSONValue>(of type: Value.Type) -> ValueShape {
    let told = type.shape
    return told.type == ObjectIdentifier(type) ? told : ValueShape(takesNull: told.takesNull)
  }

  /// The shape of an optional around a type.
  static func optional<Wrapped: JSONValue>(_ wrapped: Wrapped.Type) -> ValueShape {
    let shape = proven(of: wrapped)
    return shape.takesNull
      ? .otherOrNull : ValueShape(shape.kind, of: Wrapped?.self, takesNull: true)
  }
}
