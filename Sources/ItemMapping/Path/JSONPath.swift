/// A place in a JSON document: a sequence of names and positions.
///
/// It is written as a singular query of RFC 9535 with an optional leading `$.`, as in
/// `data.list[0].title` or `$['com.app.id']`, or as a JSON Pointer, which starts with a slash. A
/// name without quotes consists of letters, digits, `_`, `-`, `@`, `$` and everything beyond ASCII.
/// Digits alone are a name too; a position is in brackets. A negative position counts from the end.
public struct JSONPath: Sendable, Hashable {
  /// One step down.
  public enum Segment: Sendable, Hashable {
    /// To the member with this name.
    case name(String)
    /// To the element at this position; a negative one counts from the end.
    case index(Int)
    /// A reference token of a JSON Pointer that consists of digits: a position in an array, and a
    /// name in an object.
    case token(Int)
  }

  /// The steps from the outermost value; empty for that value itself.
  public let segments: [Segment]
  let steps: [Step]

  /// Creates a path from its steps.
  public init(_ segments: [Segment]) {
    self.segments = segments
    steps = segments.map(Step.init)
  }

  /// The outermost value, `$`.
  public static let root = JSONPath([])

  /// Returns the path with one more step.
  package func appending(_ segment: Segment) -> JSONPath { JSONPath(segments + [segment]) }

  /// A step prepared for looking it up on the tape.
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
  /// Creates a step to a member.
  public init(stringLiteral value: String) { self = .name(value) }
  /// Creates a step to an element.
  public init(integerLiteral value: Int) { self = .index(value) }
}

extension JSONPath: ExpressibleByArrayLiteral {
  /// Creates a path from its steps, as in `["data", "list", 0, "title"]`.
  public init(arrayLiteral elements: Segment...) { self.init(elements) }
}

extension JSONPath: ExpressibleByStringLiteral {
  /// Creates a path from a literal. An invalid literal is a programming error and traps with a
  /// description; use ``init(parsing:)`` for text from elsewhere.
  public init(stringLiteral text: String) {
    do throws(JSONPath.ParsingError) {
      try self.init(parsing: text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The normalized path of RFC 9535, the only such spelling of the place: `$['data']['list'][0]`.
  public var description: String {
    segments.reduce(into: "$") { text, segment in
      switch segment {
      case .name(let name): JSONPathText.append(name, to: &text)
      case .index(let index), .token(let index): text += "[\(index)]"
      }
    }
  }
}

/// Writes names as in normalized paths.
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
