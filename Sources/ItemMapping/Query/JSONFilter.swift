/// A filter of RFC 9535 on its own, such as `@.price < 10 && @.stock`, read once and used often.
///
/// ```swift
/// let isCheap = try JSONFilter("@.price < 10")
/// let cheap = try rows.filter { try isCheap.holds(for: $0) }
/// ```
public struct JSONFilter: Sendable, Hashable {
  /// The filter as it was given.
  public let text: String
  private let condition: JSONQuery.Condition

  /// Reads a filter. The `?` before it may stand there or not.
  ///
  /// - Throws: ``JSONPath/ParsingError`` with the place of the first fault.
  public init(_ text: some StringProtocol) throws(JSONPath.ParsingError) {
    self.text = String(text)
    var parser = JSONQueryParser(self.text)
    parser.reader.skipBlanks()
    _ = parser.reader.take("?")
    parser.reader.skipBlanks()
    condition = try parser.condition()
    parser.reader.skipBlanks()
    guard parser.reader.isAtEnd else { throw parser.reader.fault("'&&', '||' or the end") }
  }

  /// Whether it holds for a value, which is what `@` stands for; `$` stands for the whole document.
  ///
  /// - Parameters:
  ///   - view: The value.
  ///   - budget: How many steps it may take, about one per value looked at.
  /// - Throws: ``JSONQuery/LimitExceeded`` when the budget is used up.
  public func holds(
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
  /// The filter as it was given.
  public var description: String { text }
}
