package import ListModel

/// Why a list ended, in words.
package struct EndText: Hashable {
  /// The number of rows in the list.
  package var rows: Int
  /// The facts of the last page.
  package var facts: PageFacts?
  package var paging: Paging?

  package init(rows: Int = 0, facts: PageFacts? = nil, paging: Paging? = nil) {
    (self.rows, self.facts, self.paging) = (rows, facts, paging)
  }

  package func text(_ end: ListEnd) -> String {
    switch end {
    case .incomplete(let error): "the list ended early: \(error.explanation.cause)"
    case .complete: "end of the list: \(reason)"
    }
  }

  /// The fact that says so, the most telling one first.
  private var reason: String {
    if let total = facts?.total, total == rows {
      return rows == 1 ? "its only row is loaded" : "all \(rows) rows are loaded"
    }
    if let count = facts?.pageCount, count > 0 {
      return count == 1 ? "its only page is loaded" : "all \(count) pages are loaded"
    }
    return switch paging?.way {
    case .single: "the response is the whole list"
    case .link: "the last page has no next link"
    case .cursor: "the last page has no cursor"
    case .nextURL: "the last page has no next address"
    default: "the server has no more rows"
    }
  }
}
