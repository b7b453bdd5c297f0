extension JSONView {
  /// Returns all values that match a query of RFC 9535, such as `$..book[?@.price < 10]`. `$` refers to this value.
  ///
  /// - Throws: ``JSONPath/ParsingError`` for an invalid query, or an error that names a query of too many steps, which
  ///   several `..` or nested filters can take.
  public func query(_ text: String) throws -> [JSONView] {
    try query(JSONQuery(text))
  }

  /// Returns all values that match a query, in the order of RFC 9535. `$` refers to this value.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - budget: The maximum number of steps, about one per value visited. It limits queries with
  ///     several `..` or with nested filters, which can otherwise take practically unlimited time.
  /// - Throws: ``JSONQuery/LimitExceeded`` when the budget is used up.
  package func query(
    _ query: JSONQuery, budget: Int = 50_000_000
  ) throws(JSONQuery.LimitExceeded) -> [JSONView] {
    do throws(JSONQueryRun.Exhausted) {
      let nodes = try read { tape throws(JSONQueryRun.Exhausted) in
        var run = JSONQueryRun(tape: tape, document: document, root: index, budget: budget)
        return try run.nodes(query.segments, from: index)
      }
      return nodes.map { JSONView(document: document, index: $0) }
    } catch {
      throw JSONQuery.LimitExceeded(query: query.text, budget: budget)
    }
  }
}

/// One evaluation of a query.
struct JSONQueryRun {
  struct Exhausted: Error {}

  let tape: JSONTape
  let document: JSONDocument
  let root: Int
  var budget: Int

  mutating func spend(_ cost: Int = 1) throws(Exhausted) {
    budget -= cost
    if budget < 0 { throw Exhausted() }
  }

  mutating func nodes(
    _ segments: [JSONQuery.Segment], from start: Int
  ) throws(Exhausted) -> [Int] {
    var nodes = [start]
    for segment in segments {
      var found: [Int] = []
      for node in nodes {
        try spend()
        if segment.isDescendant {
          try descend(segment.selectors, node, &found)
        } else {
          for selector in segment.selectors { try select(selector, node, &found) }
        }
      }
      nodes = found
    }
    return nodes
  }

  /// Visits the value and its descendants, which are consecutive on the tape in the required order.
  /// Scalars and names have no children and are skipped.
  private mutating func descend(
    _ selectors: [JSONQuery.Selector], _ start: Int, _ found: inout [Int]
  ) throws(Exhausted) {
    let end = tape.after(start)
    var index = start
    while index < end {
      try spend()
      switch tape.tag(index) {
      case JSONTape.Tag.object, JSONTape.Tag.array:
        for selector in selectors { try select(selector, index, &found) }
        index += 1
      default: index = tape.after(index)
      }
    }
  }

  private mutating func select(
    _ selector: JSONQuery.Selector, _ node: Int, _ found: inout [Int]
  ) throws(Exhausted) {
    let isObject = tape.tag(node) == JSONTape.Tag.object
    guard isObject || tape.tag(node) == JSONTape.Tag.array else { return }
    switch selector {
    case .name(let key):
      guard isObject else { return }
      try spend(tape.countHint(of: node))
      if let value = tape.member(key, of: node) { found.append(value) }
    case .index(let position):
      guard !isObject else { return }
      try spend(tape.countHint(of: node))
      if let value = tape.element(position, of: node) { found.append(value) }
    case .wildcard:
      for child in try children(of: node) { found.append(child) }
    case .slice(let start, let end, let step):
      guard !isObject else { return }
      let children = try children(of: node)
      for position in Self.positions(start, end, step, count: children.count) {
        found.append(children[position])
      }
    case .filter(let condition):
      for child in try children(of: node) where try holds(condition, child) {
        found.append(child)
      }
    }
  }

  private mutating func children(of node: Int) throws(Exhausted) -> [Int] {
    let isObject = tape.tag(node) == JSONTape.Tag.object
    let end = tape.end(of: node)
    var children: [Int] = []
    children.reserveCapacity(tape.countHint(of: node))
    var index = tape.first(in: node)
    while index < end {
      let value = isObject ? index + 1 : index
      children.append(value)
      index = tape.after(value)
    }
    try spend(children.count)
    return children
  }

  /// Returns the positions of a slice, by the rules of RFC 9535, section 2.3.4.2.2.
  static func positions(
    _ start: Int?, _ end: Int?, _ step: Int, count: Int
  ) -> StrideTo<Int> {
    func normal(_ position: Int) -> Int { position >= 0 ? position : count + position }
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
    if step > 0 {
      let lower = min(max(normal(start ?? 0), 0), count)
      let upper = min(max(normal(end ?? count), 0), count)
      return stride(from: lower, to: upper, by: step)
    }
    let upper = min(max(normal(start ?? count - 1), -1), count - 1)
    let lower = end.map { min(max(normal($0), -1), count - 1) } ?? -1
    return stride(from: upper, to: lower, by: step)
  }
}
