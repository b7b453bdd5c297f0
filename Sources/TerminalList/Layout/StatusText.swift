internal import ListModel
internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The text of the last line: the source and age of the rows, the selected row, the number of rows, and the
/// number of duplicates and of rows that may be missing between pages.
struct StatusText: Hashable {
  var freshness = Freshness.nothing
  /// The number of the selected row, counted from 1.
  var selected: Int?
  var rows = 0
  var total: Int?
  var duplicates = 0
  var missing = 0

  func text(at now: Date, offset: Int = 0) -> String {
    var parts: [String] = []
    if rows > 0 {
      let known = rows == 1 ? "1 row" : "\(rows) rows"
      let all = total.map { $0 == rows ? "" : ", \($0) in total" } ?? ""
      parts.append((selected.map { "row \($0) of \(rows)" } ?? known) + all)
    }
    if duplicates > 0 { parts.append("\(duplicates) duplicate\(duplicates == 1 ? "" : "s")") }
    if missing > 0 {
      parts.append(missing == 1 ? "1 row may be missing" : "\(missing) rows may be missing")
    }
    let age = freshness.text(at: now, offset: offset).map { " \($0)" } ?? ""
    switch freshness {
    case .nothing: break
    case .live: parts.append("live")
    case .stored: parts.append("stored\(age)")
    case .offline: parts.append("offline, rows\(age)")
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

/// The number of rows that may be missing between pages, as far as the server reveals it.
///
/// If pages are counted, each row that is removed from the loaded pages moves the following ones up, so that
/// the next page starts too late. The server's total shows how many were removed, but not where: therefore
/// they only may be missing.
struct MissingRows: Hashable {
  private(set) var count = 0
  /// The server's total when the list last reached the place where it continues.
  private var total: Int?

  /// Updates the count after a load.
  ///
  /// - Parameters:
  ///   - key: The key of the list's last page.
  ///   - now: The current total.
  mutating func update(_ kind: LoadKind, _ key: PageKey?, total now: Int?) {
    switch kind {
    case .first, .refresh, .page, .restore: self = MissingRows()
    case .next:
      guard key?.place.isCounted == true, let total, let now else { break }
      count += max(0, total - now)
    case .previous, .gap: return
    }
    total = now ?? total
  }
}
