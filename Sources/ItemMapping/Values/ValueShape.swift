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

  init(_ kind: Kind, takesNull: Bool = false) {
    self.kind = kind
    self.takesNull = takesNull
  }

  /// A type that only its own code can read.
  public static let other = ValueShape(.other)

  /// A type that only its own code can read, and that has a value for `null`.
  public static let otherOrNull = ValueShape(.other, takesNull: true)

  /// The shape of an optional.
  var optional: ValueShape { takesNull ? .otherOrNull : ValueShape(kind, takesNull: true) }
}
