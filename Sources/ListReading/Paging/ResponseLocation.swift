public import ItemMapping
internal import ServerAPI

/// The part of a response that has a fact of the page: a path in the JSON, or a header.
///
/// ```swift
/// .cursor(at: "meta.next_cursor")            // a literal is a path
/// .cursor(at: .header("X-Next-Cursor"))
/// ```
public enum ResponseLocation: Hashable, Sendable {
  /// In the JSON of the response, from its outermost value.
  case body(JSONPath)
  /// In the header of this name.
  case header(String)
  /// In the header of this name, whose value is JSON: `X-Pagination: {"next": 3}`.
  case headerJSON(String, at: JSONPath)
  /// In the array of links at the path, as the address of the one with this relation:
  /// `[{"rel": "next", "href": …}]`.
  case relation(String, in: JSONPath)
}

extension ResponseLocation {
  /// Whether it is outside of the body.
  var isInHeader: Bool {
    switch self {
    case .header, .headerJSON: true
    case .body, .relation: false
    }
  }
}

extension ResponseLocation: ExpressibleByStringLiteral {
  /// A path in the JSON.
  public init(stringLiteral path: String) { self = .body(JSONPath(stringLiteral: path)) }
}

extension ResponseLocation: CustomStringConvertible {
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

/// The result of reading a fact.
enum FoundFact<Value: Equatable>: Equatable {
  case missing
  case found(Value)
  /// A value that is not such a fact.
  case wrong(String)
}

extension PageResponse {
  /// Returns the value at a location with every digit; `nil` where the location doesn't exist.
  func value(at place: ResponseLocation) -> JSONAny? {
    switch place {
    case .body(let path): envelope?[path].map { JSONAny($0, keepingDigits: true) }
    case .header(let name): response.headers[name].map { .string($0) }
    case .headerJSON(let name, let path):
      response.headers[name].flatMap { try? JSONDocument($0) }?.root[path]
        .map { JSONAny($0, keepingDigits: true) }
    case .relation(let relation, let path):
      envelope?[path]?.elements.first { $0.hasRelation(relation) }
        .flatMap { $0["href"] ?? $0["url"] ?? $0["uri"] }.map { JSONAny($0) }
    }
  }

  /// Returns the start of what is at a location that has to be JSON and isn't.
  func unreadable(at place: ResponseLocation) -> String? {
    guard case .headerJSON(let name, _) = place, let text = response.headers[name], !text.isEmpty,
      (try? JSONDocument(text)) == nil
    else { return nil }
    return JSONAny.string(text).excerpt
  }

  private func missing<Value>(at place: ResponseLocation) -> FoundFact<Value> {
    unreadable(at: place).map { .wrong($0) } ?? .missing
  }

  /// Reads a non-negative whole number, also one written as a text.
  func number(at place: ResponseLocation) -> FoundFact<Int> {
    guard let value = value(at: place), !value.isNull else { return missing(at: place) }
    guard let number = value.wholeNumber, number >= 0 else { return .wrong(value.excerpt) }
    return .found(number)
  }

  /// Reads a flag, also written as 1 or 0 or as a text.
  func flag(at place: ResponseLocation) -> FoundFact<Bool> {
    guard let value = value(at: place), !value.isNull else { return missing(at: place) }
    return value.yesOrNo.map { .found($0) } ?? .wrong(value.excerpt)
  }
}

extension JSONView {
  /// Whether a link has a relation, alone or among others.
  func hasRelation(_ relation: String) -> Bool {
    guard let view = self["rel"] ?? self["relation"] else { return false }
    return view.string == relation || view.elements.contains { $0.string == relation }
  }

  /// Whether an array of links has one to the next page.
  var hasNextLink: Bool { elements.prefix(20).contains { $0.hasRelation("next") } }
}
