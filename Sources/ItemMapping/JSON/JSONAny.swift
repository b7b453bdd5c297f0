/// A JSON value that is independent of the document it was read from.
///
/// Two values are equal when they are equivalent: `1` equals `1.0`, and objects are equal in any
/// order of their members. Numbers that are kept as text compare by their digits.
public enum JSONAny: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// An integer above `Int.max`.
  case uint(UInt64)
  case double(Double)
  /// A number kept as text, because no other case fits it or because its digits were to be
  /// preserved.
  case number(JSONAny.Number)
  case string(String)
  case array([JSONAny])
  case object(JSONAny.Object)
}

extension JSONAny {
  /// Parses a JSON text.
  public init(parsing text: String) throws(JSONError) {
    self.init(try JSONDocument(text).root)
  }

  /// The kind of the value.
  var kind: JSONView.Kind {
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

  /// The value of `true` or `false`.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The number as an `Int`, if it has no fraction and fits.
  public var int: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): value.magnitude < 0x1p53 ? Int(exactly: value) : nil
    default: nil
    }
  }

  /// The `Double` nearest to the number, or `nil` if the number is beyond the largest.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .number(let number): Double(number.text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// The string, if the value is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, if the value is an array.
  public var array: [JSONAny]? { if case .array(let value) = self { value } else { nil } }

  /// The members, if the value is an object.
  public var object: JSONAny.Object? { if case .object(let value) = self { value } else { nil } }

  /// The member with this name, or `nil` if it is missing or the value is not an object.
  public subscript(name: String) -> JSONAny? { object?[name] }

  /// The element at this position, or `nil` if it is missing or the value is not an array. A
  /// negative position counts from the end.
  public subscript(position: Int) -> JSONAny? {
    guard let array else { return nil }
    let position = position < 0 ? array.count + position : position
    return array.indices.contains(position) ? array[position] : nil
  }

  /// The value at a path, or `nil` if it is missing.
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

extension JSONAny {
  /// Sets the value at a path and creates the objects along it; `nil` removes a member. Returns `false` if another
  /// value is in the way.
  ///
  /// With `replacing`, which is for writing an item, nothing is in the way: other values are replaced, arrays are
  /// created and filled up with `null`, and the members of an object are added to those that are there.
  @discardableResult
  package mutating func set(
    _ value: JSONAny?, at path: ArraySlice<JSONPath.Segment>, replacing: Bool = false
  ) -> Bool {
    guard let step = path.first else {
      if replacing, var object, let members = value?.object {
        for member in members { object[member.name] = member.value }
        self = .object(object)
      } else {
        self = value ?? .null
      }
      return true
    }
    let rest = path.dropFirst()
    switch step {
    case .name(let name):
      guard var object = object ?? (isNull || replacing ? [:] : nil) else { return false }
      // Released first, because a second reference would force a copy.
      self = .null
      defer { self = .object(object) }
      if value == nil, rest.isEmpty || object[name] == nil {
        object[name] = nil
        return true
      }
      var member = object[name] ?? .null
      guard member.set(value, at: rest, replacing: replacing) else { return false }
      object[name] = member
      return true
    case .index(let position), .token(let position):
      guard var array = array ?? (replacing ? [] : nil) else { return false }
      let place = replacing && position < 0 ? max(0, array.count + position) : position
      if replacing { while array.count <= place { array.append(.null) } }
      guard array.indices.contains(place) else { return false }
      self = .null
      defer { self = .array(array) }
      return array[place].set(value, at: rest, replacing: replacing)
    }
  }
}

extension JSONAny: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Creates a number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONAny...) { self = .array(elements) }
  /// Creates an object with its members in this order.
  public init(dictionaryLiteral members: (String, JSONAny)...) {
    self = .object(JSONAny.Object(members))
  }
}

extension JSONAny {
  /// A number of any length, digit for digit.
  public struct Number: Sendable, Hashable {
    /// The number in JSON notation.
    package let text: String

    /// Creates a number from its JSON notation; `nil` if the text is not a JSON number.
    public init?(_ text: String) {
      guard JSONScanner.isNumber(text) else { return nil }
      self.text = text
    }

    init(trusted text: String) { self.text = text }
  }
}

extension JSONAny.Number: CustomStringConvertible {
  /// The digits.
  public var description: String { text }
}

/// Finds numbers in a text.
enum JSONNumberText {
  /// Returns the range of the number that starts here.
  static func range(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var end = start
    while end < text.count {
      switch text[end] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        end += 1
      default: return start..<end
      }
    }
    return start..<end
  }

  /// Returns whether a number with a decimal point or an exponent may have more than 15 digits, so that another one may
  /// have the same `Double`. Text that only looks like such a number counts too.
  ///
  /// Looks at one byte of 16, and around it if that is a digit or a point.
  static func hasLongFraction(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 15
    while place < text.count {
      if isDigitOrPoint(text[place]) {
        var start = place
        while start > 0, isDigitOrPoint(text[start &- 1]) { start &-= 1 }
        repeat { place &+= 1 } while place < text.count && isDigitOrPoint(text[place])
        if place &- start > 15 {
          let hasExponent = place < text.count && text[place] | 0x20 == UInt8(ascii: "e")
          if hasExponent || text[start..<place].contains(UInt8(ascii: ".")) { return true }
        }
      }
      place &+= 16
    }
    return false
  }

  /// Whether a byte is a digit, a point or the slash between them in ASCII.
  @inline(__always)
  private static func isDigitOrPoint(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: ".") < 12 }
}

extension JSONDocument {
  /// Returns the bytes of the number at this index as the server wrote them, valid while the
  /// document is alive.
  func numberText(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let start =
      tape.tag(index) == JSONTape.Tag.bigNumber ? tape.payload(index) : textOffsets[index]
    return UnsafeBufferPointer(rebasing: text[JSONNumberText.range(at: start, in: text)])
  }
}
