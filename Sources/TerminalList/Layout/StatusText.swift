internal import ListModel
package import ListReading
internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The text of the last line: the number of new rows above the list, the source and age of the rows, the selected row,
/// the number of rows, and the numbers of duplicates and of rows that are missing.
struct StatusText: Hashable {
  var freshness = Freshness.nothing
  /// The number of the selected row, counted from 1.
  var selected: Int?
  var rows = 0
  var total: Int?
  var duplicates = 0
  var losses = RowLosses()
  /// How many rows are new above the list.
  var newRows: NewRows?

  func text(at now: Date, in zone: TimeZone = .gmt) -> String {
    var parts: [String] = []
    if let newRows { parts.append("\(newRows), r shows them") }
    if rows > 0 {
      let known = rows == 1 ? "1 row" : "\(rows) rows"
      let all = total.map { $0 == rows ? "" : ", \($0) in total" } ?? ""
      parts.append((selected.map { "row \($0) of \(rows)" } ?? known) + all)
    }
    if duplicates > 0 { parts.append("\(duplicates) duplicate\(duplicates == 1 ? "" : "s")") }
    if losses.mayLackRows { parts.append("rows may be missing") }
    if losses.unreadable > 0 {
      parts.append("\(losses.unreadable == 1 ? "1 row" : "\(losses.unreadable) rows") unreadable")
    }
    let age = freshness.text(at: now, in: zone).map { " \($0)" } ?? ""
    switch freshness {
    case .nothing: break
    case .live: parts.append("live")
    case .stored: parts.append("stored rows\(age)")
    case .unreachable: parts.append("unreachable, rows\(age)")
    }
    return parts.joined(separator: " · ")
  }
}

extension LoadError {
  /// The cause, in one line.
  var brief: String {
    if case .request(let error) = self { return "\(error.kind.explanation.fact)." }
    return description.split(separator: "\n").first.map(String.init) ?? "unknown cause"
  }
}

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

  /// - Parameter explain: Returns a text about a failure; `nil` for the cause.
  package func text(_ end: ListEnd, explain: (LoadError) -> String? = { _ in nil }) -> String {
    switch end {
    case .incomplete(let error):
      "the list ended early: \(explain(.paging(error)) ?? error.explanation.cause)"
    case .complete: "end of the list: \(reason)"
    }
  }

  /// The fact that says so, the most specific one first.
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
