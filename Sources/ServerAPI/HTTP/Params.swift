/// The named parameters of a call, in order. Parameters without a value are left out.
///
/// ```swift
/// let params: Params = ["q": text, "page": 2, "tag": ["new", "used"], "after": cursor]
/// ```
///
/// `nil` leaves the parameter out, so an optional needs no `if`. An array repeats the name, or follows the
/// ``ArrayEncoding`` of the server. ``Call/paramsIn`` sends them in a form or in JSON instead of the query.
public struct Params: Hashable, Sendable {
  /// A name with its values.
  package struct Item: Hashable, Sendable {
    /// The name, not encoded.
    package var name: String
    /// The values, not encoded; an empty array sends nothing.
    package var value: Params.Values

    /// Creates a parameter.
    package init(name: String, value: Params.Values) {
      self.name = name
      self.value = value
    }
  }

  /// The parameters that have a value, in order.
  package private(set) var items: [Item]

  /// Creates an empty list of parameters.
  public init() { items = [] }

  /// Creates a list of parameters, in this order.
  package init(_ items: [Item]) { self.items = items }

  /// The first value with this name, as text. Setting replaces the parameter in place; `nil` removes it.
  public subscript(name: String) -> String? {
    get { items.first { $0.name == name }?.value.texts.first }
    set { set(name, newValue) }
  }

  /// The first value with this name, as text. Setting replaces the parameter in place with a value of any type;
  /// `nil` removes it.
  @_disfavoredOverload
  public subscript(name: String) -> (any Params.Convertible)? {
    get { items.first { $0.name == name }?.value.texts.first }
    set { set(name, newValue) }
  }

  /// Returns every value with this name.
  public func values(_ name: String) -> [String] {
    items.filter { $0.name == name }.flatMap(\.value.texts)
  }

  /// Replaces a parameter in place, or appends it; `nil` removes it.
  public mutating func set(_ name: String, _ value: (any Params.Convertible)?) {
    guard let value = value?.paramValue else {
      items.removeAll { $0.name == name }
      return
    }
    guard let index = items.firstIndex(where: { $0.name == name }) else {
      items.append(Item(name: name, value: value))
      return
    }
    items[index].value = value
    items = items.enumerated().filter { $0.offset <= index || $0.element.name != name }.map(
      \.element)
  }

  /// Sets every parameter of `other`, replacing those with the same name.
  public mutating func merge(_ other: Params) {
    for name in Set(other.items.map(\.name)) { items.removeAll { $0.name == name } }
    items += other.items
  }

  /// Whether there are no parameters.
  public var isEmpty: Bool { items.isEmpty }
}

extension Params {
  /// One value of a parameter. A query and a form have its text; JSON keeps its type.
  public enum Scalar: Hashable, Sendable {
    /// A text, which stays one in JSON: `"2"`.
    case text(String)
    /// The digits of a number, as JSON has them: `2`, `-1.5`, `1e9`. Anything else is sent as a text.
    case number(String)
    /// `true` or `false`.
    case bool(Bool)

    /// The value as a query has it, not encoded.
    package var text: String {
      switch self {
      case .text(let text), .number(let text): text
      case .bool(let flag): flag ? "true" : "false"
      }
    }
  }

  /// One or several values of a parameter.
  public enum Values: Hashable, Sendable {
    /// One value.
    case one(Scalar)
    /// Several values with the same name; an array in JSON, also where it has one element.
    case many([Scalar])

    /// The values in order.
    package var all: [Scalar] {
      switch self {
      case .one(let value): [value]
      case .many(let values): values
      }
    }

    /// The values as text.
    package var texts: [String] { all.map(\.text) }
  }
}

extension Params.Scalar: ExpressibleByStringLiteral {
  /// Creates a text.
  public init(stringLiteral text: String) { self = .text(text) }
}

extension Params {
  /// A type that can be the value of a parameter.
  public protocol Convertible {
    /// The value, or `nil` to leave the parameter out.
    var paramValue: Params.Values? { get }
  }
}

extension Params: ExpressibleByDictionaryLiteral {
  /// Creates parameters in the order of the literal; `nil` values are left out.
  public init(dictionaryLiteral elements: (String, (any Params.Convertible)?)...) {
    items = elements.compactMap { name, value in
      value?.paramValue.map { Item(name: name, value: $0) }
    }
  }
}

/// A type of the package that can be the value of a parameter. Its extension has the public property that
/// ``Params/Convertible`` requires, so that types such as `String` don't get it as a public member of their own.
protocol BuiltInParam: Params.Convertible {
  var ownParamValue: Params.Values? { get }
}

extension BuiltInParam {
  /// The value of the type, if any.
  public var paramValue: Params.Values? { ownParamValue }
}

extension Params.Scalar: Params.Convertible, BuiltInParam {
  /// The value itself.
  var ownParamValue: Params.Values? { .one(self) }
}
extension String: Params.Convertible, BuiltInParam {
  /// The text itself.
  var ownParamValue: Params.Values? { .one(.text(self)) }
}
extension Int: Params.Convertible, BuiltInParam {
  /// The decimal digits.
  var ownParamValue: Params.Values? { .one(.number(String(self))) }
}
extension Double: Params.Convertible, BuiltInParam {
  /// The shortest text that parses to the same number.
  var ownParamValue: Params.Values? {
    .one(isFinite ? .number(description) : .text(description))
  }
}
extension Bool: Params.Convertible, BuiltInParam {
  /// `true` or `false`.
  var ownParamValue: Params.Values? { .one(.bool(self)) }
}
extension Optional: Params.Convertible, BuiltInParam where Wrapped: Params.Convertible {
  /// The wrapped value, if any.
  var ownParamValue: Params.Values? { self?.paramValue }
}
extension Array: Params.Convertible, BuiltInParam where Element: Params.Convertible {
  /// The values of the elements; an empty array leaves the parameter out.
  var ownParamValue: Params.Values? {
    let values = compactMap(\.paramValue).flatMap(\.all)
    return values.isEmpty ? nil : .many(values)
  }
}
