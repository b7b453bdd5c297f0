/// One place in a JSON document: names and positions, one after the other.
///
/// Written as a singular query of RFC 9535 whose leading `$.` may be left out, as in
/// `data.list[0].title` or `$['com.app.id']`, or as a JSON Pointer, which begins with a slash. A name
/// without quotes consists of letters, digits, `_`, `-`, `@`, `$` and everything beyond ASCII; digits
/// alone are a name too, a position stands in brackets. A negative position counts from the end.
public struct JSONPath: Sendable, Hashable {
  /// One step down.
  public enum Segment: Sendable, Hashable {
    /// Into the member with this name.
    case name(String)
    /// Into the element at this position, from the end where it is negative.
    case index(Int)
    /// A reference token of a JSON Pointer that consists of digits: a position in an array and a
    /// name in an object.
    case token(Int)
  }

  /// The steps from the outermost value; none for that value itself.
  public let segments: [Segment]
  let steps: [Step]

  /// A path of steps.
  public init(_ segments: [Segment]) {
    self.segments = segments
    steps = segments.map(Step.init)
  }

  /// The outermost value, `$`.
  public static let root = JSONPath([])

  /// The path one step further down.
  public func appending(_ segment: Segment) -> JSONPath { JSONPath(segments + [segment]) }

  /// A step made ready for the tape.
  struct Step: Sendable, Hashable {
    let key: JSONKey?
    let position: Int?

    init(_ segment: Segment) {
      switch segment {
      case .name(let name): (key, position) = (JSONKey(name), nil)
      case .index(let index): (key, position) = (nil, index)
      case .token(let index): (key, position) = (JSONKey(String(index)), index)
      }
    }
  }
}

extension JSONPath.Segment: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// A name.
  public init(stringLiteral value: String) { self = .name(value) }
  /// A position.
  public init(integerLiteral value: Int) { self = .index(value) }
}

extension JSONPath: ExpressibleByArrayLiteral {
  /// A path of steps, as in `["data", "list", 0, "title"]`.
  public init(arrayLiteral elements: Segment...) { self.init(elements) }
}

extension JSONPath: ExpressibleByStringLiteral {
  /// A path as it is written. A literal that can't be read is a mistake of the program, which ends
  /// with what is wrong; for a text from elsewhere there is ``init(parsing:)``.
  public init(stringLiteral text: String) {
    do throws(JSONPath.ParsingError) {
      try self.init(parsing: text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The normalized path of RFC 9535, one spelling per place: `$['data']['list'][0]`.
  public var description: String {
    segments.reduce(into: "$") { text, segment in
      switch segment {
      case .name(let name): JSONPathText.append(name, to: &text)
      case .index(let index), .token(let index): text += "[\(index)]"
      }
    }
  }
}

/// Names as normalized paths write them.
enum JSONPathText {
  static func append(_ name: String, to text: inout String) {
    text += "['"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{C}": text += "\\f"
      case "\r": text += "\\r"
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\0"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "']"
  }
}
