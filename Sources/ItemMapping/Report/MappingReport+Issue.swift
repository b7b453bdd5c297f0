extension MappingReport {
  /// A mismatch between one value of a document and what an item expects there.
  public struct Issue: Sendable, Hashable {
    /// The kind of mismatch.
    public enum Kind: String, Sendable, Hashable {
      /// A required value is missing.
      case missing
      /// A value that must not be `null` is `null`.
      case null
      /// A value has another JSON type.
      case wrongType
      /// A value has the right JSON type, but the property's type can't be read from it, such as
      /// `"soon"` for a date.
      case unreadable
      /// A string is empty where content is required.
      case empty
      /// A number doesn't fit the property's type.
      case outOfRange
      /// A number has a fraction, but the property holds whole numbers.
      case fraction
      /// An enum has no case for the raw value.
      case unknownCase
      /// An object's discriminator names no known type.
      case unknownVariant
      /// A value had another type but an equivalent meaning, such as `"42"` for 42.
      case converted
      /// A value was converted and the result doesn't preserve the original text, such as `1.10`
      /// becoming `"1.1"`.
      case inexact
      /// An item is nested in 64 others.
      case tooDeep
      /// The item's own code rejected the value.
      case rejected
    }

    /// What the mapper did with the value.
    public enum Effect: String, Sendable, Hashable {
      /// The property has the value, after a conversion.
      case used
      /// The property keeps its default or, in an update, its previous value. When an update of a
      /// struct lacks a value it requires, the whole struct keeps its previous value.
      case kept
      /// The property has the default that its field declares.
      case defaulted
      /// The element or item was dropped.
      case dropped
    }

    /// The kind of mismatch.
    public let kind: Kind
    /// The value's place, from the document's root.
    public let path: JSONPath
    /// The type and property the value was for, such as `Book.price`, or the type alone.
    public let target: String
    /// The expected value, such as `Decimal`.
    public let expected: String
    /// The value found, cut to 64 characters, or `hidden` for a sensitive field.
    public let found: String
    /// What the mapper did with the value.
    public let effect: Effect
    /// Further help, such as a similar name.
    public let hint: String?
  }
}

/// A reason why a document could not be mapped at all.
public enum MappingError: Error, Sendable, Hashable {
  /// The text is not valid JSON.
  case invalidJSON(JSONError)
  /// The document has no value at the path to map.
  case notFound(JSONPath, found: String, hint: String?)
  /// The value at the path has another kind than the expected one.
  case wrongRoot(JSONPath, expected: JSONView.Kind, found: String)
  /// The requested item can't be used, or ``ItemMapper/failsFast`` is set and a value was lost.
  case unusable(MappingReport.Issue?)
  /// None of the rows of a page could be read.
  case noReadableRows(MappingReport)
}

extension MappingError: CustomStringConvertible {
  /// One line with the problem, its place and the expected value.
  public var description: String {
    switch self {
    case .invalidJSON(let error): "\(error)"
    case .notFound(let path, let found, let hint):
      "no value at \(path): \(found)" + (hint.map { "; \($0)" } ?? "")
    case .wrongRoot(let path, let expected, let found):
      "can't map the response: expected \(expected.withArticle) at \(path), found \(found)"
    case .unusable(let issue):
      issue.map { "\($0)" } ?? "can't map the item: it was rejected without a reason"
    case .noReadableRows(let report):
      (report.droppedItems == 1
        ? "can't read the only row: " : "can't read any of the \(report.droppedItems) rows: ")
        + report.groups.prefix(3).map(\.description).joined(separator: "; ")
    }
  }
}

/// Type names in Swift's short form: `[String: Int?]`.
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
