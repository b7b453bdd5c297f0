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
  private let condition: JSONQuery.Condition

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
