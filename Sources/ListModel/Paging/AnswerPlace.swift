public import ItemMapping
internal import ServerAPI

/// Where in an answer a fact of the page stands: a path in the JSON, or a header.
///
/// ```swift
/// .cursor(at: "meta.next_cursor")            // a literal is a path
/// .cursor(at: .header("X-Next-Cursor"))
/// ```
public enum AnswerPlace: Hashable, Sendable {
  /// In the JSON of the answer, from its outermost value.
  case body(JSONPath)
  /// In the header of this name.
  case header(String)
  /// In the header of this name, which is JSON itself: `X-Pagination: {"next": 3}`.
  case headerJSON(String, at: JSONPath)
  /// In the array of links at the path, as the address of the one with this relation:
  /// `[{"rel": "next", "href": …}]`.
  case relation(String, in: JSONPath)
}

extension AnswerPlace: ExpressibleByStringLiteral {
  /// A path in the JSON.
  public init(stringLiteral path: String) { self = .body(JSONPath(stringLiteral: path)) }
}

extension AnswerPlace: CustomStringConvertible {
  /// The path, or the name of the header.
  public var description: String {
    switch self {
    case .body(let path): path.plainText
    case .header(let name): "header \(name)"
    case .headerJSON(let name, let path): "\(path.plainText) in header \(name)"
    case .relation(let relation, let path): "\(path.plainText) of “\(relation)”"
    }
  }
}

/// A fact as it was found.
enum FoundFact<Value: Equatable>: Equatable {
  case missing
  case found(Value)
  /// Something else stands there.
  case wrong(String)
}

extension PageAnswer {
  /// What stands at a place, digit for digit; `nil` where the place is not there.
  func value(at place: AnswerPlace) -> JSONAny? {
    switch place {
    case .body(let path): envelope?[path].map { JSONAny($0, keepingDigits: true) }
    case .header(let name): response.headers[name].map { .string($0) }
    case .headerJSON(let name, let path):
      response.headers[name].flatMap { try? JSONDocument($0) }?.root[path]
        .map { JSONAny($0, keepingDigits: true) }
    case .relation(let relation, let path):
      envelope?[path]?.elements.first { ($0["rel"] ?? $0["relation"])?.string == relation }
        .flatMap { $0["href"] ?? $0["url"] }.map { JSONAny($0) }
    }
  }

  /// A whole number that is not negative, also one written as a text.
  func number(at place: AnswerPlace) -> FoundFact<Int> {
    guard let value = value(at: place), !value.isNull else { return .missing }
    guard let number = value.wholeNumber, number >= 0 else { return .wrong(value.excerpt) }
    return .found(number)
  }

  /// Yes or no, also as 1 or 0 and as a text.
  func flag(at place: AnswerPlace) -> FoundFact<Bool> {
    guard let value = value(at: place), !value.isNull else { return .missing }
    switch value.bool?.description ?? value.plainText.lowercased() {
    case "true", "1": return .found(true)
    case "false", "0": return .found(false)
    default: return .wrong(value.excerpt)
    }
  }
}

extension JSONAny {
  /// A number without a fraction that fits, also one written as a text.
  var wholeNumber: Int? {
    switch self {
    case .string(let text): Int(text.trimmed)
    case .number(let number): Int(number.text) ?? Double(number.text).flatMap(Int.init(exactly:))
    default: int
    }
  }

  /// The value as a parameter has it: a text without quotes, anything else as compact JSON.
  var plainText: String {
    switch self {
    case .string(let text): text
    case .null: ""
    default: text()
    }
  }

  /// As much of the value as an error should repeat.
  var excerpt: String {
    let text = text()
    return text.count > 60 ? text.prefix(60) + "…" : text
  }
}

extension JSONPath {
  /// The path as people write it, `data.list[0]`; the normalized form where a name needs quotes.
  var plainText: String {
    var text = ""
    for segment in segments {
      switch segment {
      case .name(let name):
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
          !scalar.isASCII || scalar.properties.isAlphabetic || "0"..."9" ~= scalar
            || "_-@".unicodeScalars.contains(scalar)
        }
        guard isPlain, !name.isEmpty else { return description }
        text += text.isEmpty ? name : "." + name
      case .index(let index), .token(let index):
        guard !text.isEmpty else { return description }
        text += "[\(index)]"
      }
    }
    return text.isEmpty ? "$" : text
  }
}

extension String {
  /// The text without the blanks around it.
  var trimmed: String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
    let start = unicodeScalars.drop(while: isBlank)
    return String(String.UnicodeScalarView(start.reversed().drop(while: isBlank).reversed()))
  }
}
