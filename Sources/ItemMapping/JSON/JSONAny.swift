/// Any JSON value, owned and independent of the document it came from.
///
/// Two values are equal when they mean the same: `1` equals `1.0`, and objects are equal in any order
/// of their members. Numbers that are kept as text compare by their digits.
public enum JSONAny: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// An integer above `Int.max`.
  case uint(UInt64)
  case double(Double)
  /// A number whose digits are kept, because it fits nothing else or because that was asked for.
  case number(JSONAny.Number)
  case string(String)
  case array([JSONAny])
  case object(JSONObject)
}

extension JSONAny {
  /// Parses a text.
  public init(parsing text: String) throws(JSONError) {
    self.init(try JSONDocument(text).root)
  }

  /// What the value is.
  public var kind: JSONView.Kind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int, .uint, .double, .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// The value of `true` and `false`.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// A number without a fraction that fits.
  public var int: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): value.magnitude < 0x1p53 ? Int(exactly: value) : nil
    default: nil
    }
  }

  /// The nearest `Double` to a number, unless it is beyond the largest.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .number(let number): Double(number.text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// The characters of a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements of an array.
  public var array: [JSONAny]? { if case .array(let value) = self { value } else { nil } }

  /// The members of an object.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The member with this name; `nil` where there is none or the value is no object.
  public subscript(name: String) -> JSONAny? { object?[name] }

  /// The element at this position, from the end where it is negative; `nil` where there is none or
  /// the value is no array.
  public subscript(position: Int) -> JSONAny? {
    guard let array else { return nil }
    let position = position < 0 ? array.count + position : position
    return array.indices.contains(position) ? array[position] : nil
  }

  /// The value at a path, or `nil` where there is none.
  public subscript(path: JSONPath) -> JSONAny? {
    var value = self
    for segment in path.segments {
      let next: JSONAny? =
        switch segment {
        case .name(let name): value[name]
        case .index(let position): value[position]
        case .token(let position): value[String(position)] ?? value[position]
        }
      guard let next else { return nil }
      value = next
    }
    return value
  }
}

extension JSONAny: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONAny...) { self = .array(elements) }
  /// An object with its members in this order.
  public init(dictionaryLiteral members: (String, JSONAny)...) {
    self = .object(JSONObject(members))
  }
}
