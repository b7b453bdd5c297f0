/// A query of RFC 9535, such as `$.store.book[?@.price < 10].title`, parsed once for repeated use.
package struct JSONQuery: Sendable, Hashable {
  /// The text of the query.
  package let text: String
  let segments: [Segment]

  /// One step: to the children of a value, or to those of the value and all of its descendants.
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
    /// Whether it starts with `@`, the tested value, rather than with `$`.
    var isRelative: Bool
    var segments: [Segment]

    /// Whether it matches at most one value.
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
    /// The text, the pattern, the compiled pattern if it is a literal, and whether a part of the
    /// text may match.
    case matches(Operand, Operand, Pattern, isSearch: Bool)
  }

  enum Comparison: Sendable, Hashable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  enum Pattern: Sendable, Hashable {
    case ready(IRegexp)
    /// The expression is invalid, so nothing matches.
    case invalid
    /// The expression is only known when a value is tested.
    case later
  }

  /// An operand of a comparison or an argument of a function.
  indirect enum Operand: Sendable, Hashable {
    case literal(JSONQueryValue)
    case query(Inner)
    case length(Operand)
    case count(Inner)
    case value(Inner)
  }
}

extension JSONQuery: CustomStringConvertible {
  /// The text of the query.
  package var description: String { text }
}

/// A value that filters compare.
enum JSONQueryValue: Sendable, Hashable {
  case nothing
  case null
  case bool(Bool)
  case integer(Int128)
  case double(Double)
  case string([UInt8])
  /// An array or an object by its index.
  case container(Int)
}

extension JSONQuery {
  /// A query that exceeded its budget.
  package struct LimitExceeded: Error, Sendable, Hashable {
    /// The text of the query.
    package let query: String
    /// The maximum number of steps.
    package let budget: Int
  }
}

extension JSONQuery.LimitExceeded: CustomStringConvertible {
  /// One line with the query and the limit.
  package var description: String {
    "the query “\(query)” takes more than \(budget) steps; simplify it"
  }
}

/// A filter of RFC 9535 on its own, such as `@.price < 10 && @.stock`, parsed once for repeated
/// use.
///
/// ```swift
/// let isCheap = try JSONFilter("@.price < 10")
/// let cheap = try rows.filter { try isCheap.holds(for: $0) }
/// ```
package struct JSONFilter: Sendable, Hashable {
  /// The text of the filter.
  package let text: String
  let condition: JSONQuery.Condition

  /// Parses a filter. The leading `?` is optional.
  ///
  /// - Throws: ``JSONPath/ParsingError`` with the position of the first error.
  package init(_ text: some StringProtocol) throws(JSONPath.ParsingError) {
    self.text = String(text)
    var parser = JSONQueryParser(self.text)
    parser.reader.skipBlanks()
    _ = parser.reader.take("?")
    parser.reader.skipBlanks()
    condition = try parser.condition()
    parser.reader.skipBlanks()
    guard parser.reader.isAtEnd else { throw parser.reader.fault("'&&', '||' or the end") }
  }

  /// Returns whether the filter matches a value. `@` refers to the value, `$` to the whole
  /// document.
  ///
  /// - Parameters:
  ///   - view: The value.
  ///   - budget: The maximum number of steps, about one per value visited.
  /// - Throws: ``JSONQuery/LimitExceeded`` when the budget is used up.
  package func holds(
    for view: JSONView, budget: Int = 50_000_000
  ) throws(JSONQuery.LimitExceeded) -> Bool {
    do throws(JSONQueryRun.Exhausted) {
      return try view.read { tape throws(JSONQueryRun.Exhausted) in
        var run = JSONQueryRun(
          tape: tape, document: view.document, root: JSONTape.root, budget: budget)
        return try run.holds(condition, view.index)
      }
    } catch {
      throw JSONQuery.LimitExceeded(query: text, budget: budget)
    }
  }
}

extension JSONFilter: CustomStringConvertible {
  /// The text of the filter.
  package var description: String { text }
}
