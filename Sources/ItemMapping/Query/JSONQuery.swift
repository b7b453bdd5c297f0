/// A query of RFC 9535, such as `$.store.book[?@.price < 10].title`, read once and used often.
public struct JSONQuery: Sendable, Hashable {
  /// The query as it was given.
  public let text: String
  let segments: [Segment]

  /// One step: to the children of a value, or to those of the value and everything in it.
  struct Segment: Sendable, Hashable {
    var isDescendant = false
    var selectors: [Selector]
  }

  enum Selector: Sendable, Hashable {
    case name(JSONKey)
    case index(Int)
    case wildcard
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
  }

  /// A query within a filter.
  struct Inner: Sendable, Hashable {
    /// Whether it begins with `@`, the value under test, rather than with `$`.
    var isRelative: Bool
    var segments: [Segment]

    /// Whether it leads to one value at most.
    var isSingular: Bool {
      segments.allSatisfy { segment in
        guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
        switch segment.selectors[0] {
        case .name, .index: return true
        default: return false
        }
      }
    }
  }

  indirect enum Condition: Sendable, Hashable {
    case any([Condition])
    case all([Condition])
    case not(Condition)
    case exists(Inner)
    case compare(Operand, Comparison, Operand)
    /// Text, pattern, the pattern made ready where it is a literal, and whether a part may match.
    case matches(Operand, Operand, Pattern, isSearch: Bool)
  }

  enum Comparison: Sendable, Hashable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  enum Pattern: Sendable, Hashable {
    case ready(IRegexp)
    /// No expression: nothing matches.
    case invalid
    /// Known only when a value is tested.
    case later
  }

  /// Something that has a value.
  indirect enum Operand: Sendable, Hashable {
    case literal(JSONQueryValue)
    case query(Inner)
    case length(Operand)
    case count(Inner)
    case value(Inner)
  }
}

extension JSONQuery: CustomStringConvertible {
  /// The query as it was given.
  public var description: String { text }
}

/// A value that filters compare.
enum JSONQueryValue: Sendable, Hashable {
  case nothing
  case null
  case bool(Bool)
  case integer(Int128)
  case double(Double)
  case string([UInt8])
  /// An array or object by its index.
  case container(Int)
}

extension JSONQuery {
  /// A query that would take more steps than it was allowed to.
  public struct LimitExceeded: Error, Sendable, Hashable {
    /// The query as it was given.
    public let query: String
    /// How many steps it was allowed.
    public let budget: Int
  }
}

extension JSONQuery.LimitExceeded: CustomStringConvertible {
  /// One line with the query and the limit.
  public var description: String { "query “\(query)” takes more than \(budget) steps" }
}
