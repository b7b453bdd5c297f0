/// Something in a document that is not what an item expects, at one place.
public struct MappingIssue: Sendable, Hashable {
  /// What is wrong.
  public enum Kind: String, Sendable, Hashable {
    /// A required value is not there.
    case missing
    /// A value that has to be there is `null`.
    case null
    /// A value of another JSON type.
    case wrongType
    /// A value of the right JSON type that can't be read as what the property holds, such as
    /// `"soon"` for a date.
    case unreadable
    /// An empty string where something should stand in it.
    case empty
    /// A number that the property's type can't hold.
    case outOfRange
    /// A number with a fraction for a property that holds whole numbers.
    case fraction
    /// A raw value that an enum has no case for.
    case unknownCase
    /// An object whose discriminator names no known type.
    case unknownVariant
    /// The value was of another type and stands for the same, such as `"42"` for 42.
    case converted
    /// The value was converted, and what was written can't be told from the result, as with `1.10`
    /// that became `"1.1"`.
    case inexact
    /// An item within 64 others.
    case tooDeep
    /// The item's own code refused the value.
    case rejected
  }

  /// What became of the value.
  public enum Effect: String, Sendable, Hashable {
    /// It is in the property, after a conversion.
    case used
    /// The property has its default, or in an update what it had before. Where an update of a struct
    /// can't be without the value, so has all of the struct.
    case kept
    /// The property has the default that its field declares.
    case defaulted
    /// The element or item is left out.
    case dropped
  }

  /// What is wrong.
  public let kind: Kind
  /// Where, seen from the document's root.
  public let path: JSONPath
  /// The type and property that should have taken the value, such as `Book.price`, or the type
  /// alone.
  public let target: String
  /// What should have been there, such as `Decimal`.
  public let expected: String
  /// What is there, at most 64 characters of it, or `hidden` for a sensitive field.
  public let found: String
  /// What became of the value.
  public let effect: Effect
  /// More that helps, such as a name that looks alike.
  public let hint: String?
}

/// Why nothing could be made of a document.
public enum MappingError: Error, Sendable, Hashable {
  /// The text is no JSON.
  case invalidJSON(JSONError)
  /// There is nothing at the path the mapping was to start from.
  case notFound(JSONPath, found: String, hint: String?)
  /// What is at that path is something else.
  case wrongRoot(JSONPath, expected: JSONView.Kind, found: String)
  /// The one item that was asked for can't be used, or the first loss was to end it all.
  case unusable(MappingIssue?)
}

extension MappingError: CustomStringConvertible {
  /// One line that says what, where and what was expected.
  public var description: String {
    switch self {
    case .invalidJSON(let error): "\(error)"
    case .notFound(let path, let found, let hint):
      "there is nothing at \(path), \(found)" + (hint.map { "; \($0)" } ?? "")
    case .wrongRoot(let path, let expected, let found):
      "\(path) should be an \(expected), found \(found)"
    case .unusable(let issue): issue.map { "\($0)" } ?? "the item can't be used"
    }
  }
}

/// Types as they are written in Swift: `[String: Int?]`.
enum TypeName {
  static func text(_ type: any Any.Type) -> String { sugared("\(type)") }

  private static func sugared(_ name: String) -> String {
    if let wrapped = inner(name, "Optional<") { return sugared(wrapped) + "?" }
    if let element = inner(name, "Array<") { return "[" + sugared(element) + "]" }
    if let value = inner(name, "Dictionary<String, ") { return "[String: " + sugared(value) + "]" }
    return name
  }

  private static func inner(_ name: String, _ prefix: String) -> String? {
    name.hasPrefix(prefix) && name.hasSuffix(">")
      ? String(name.dropFirst(prefix.count).dropLast()) : nil
  }
}
