internal import ListModel
internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What the last line says: where the rows come from and how old they are, which one has the mark, how
/// many there are, and how many came twice or may be missing between pages.
struct StatusText: Hashable {
  var freshness = Freshness.nothing
  /// Counted from 1.
  var selected: Int?
  var rows = 0
  var total: Int?
  var duplicates = 0
  var missing = 0

  func text(at now: Date, offset: Int = 0) -> String {
    var parts: [String] = []
    if rows > 0 {
      let ofAll = total.map { " of \($0)" } ?? ""
      parts.append("\(selected.map { "\($0)/" } ?? "")\(rows)\(ofAll) rows")
    }
    if duplicates > 0 { parts.append("\(duplicates) came twice") }
    if missing > 0 { parts.append("\(missing) may be missing") }
    let age = freshness.text(at: now, offset: offset).map { " \($0)" } ?? ""
    switch freshness {
    case .nothing: break
    case .live: parts.append("live")
    case .stored: parts.append("stored\(age)")
    case .offline: parts.append("offline\(age)")
    }
    return parts.joined(separator: " · ")
  }
}

extension LoadError {
  /// The cause, in one line.
  var brief: String {
    if case .request(let error) = self { return "\(error.kind.explanation.fact)." }
    return description.split(separator: "\n").first.map(String.init) ?? "nobody knows why"
  }
}

/// How many rows may be missing between pages, as far as the server lets that be told.
///
/// Where pages are counted, each row that goes from the pages that were read moves the ones behind it up,
/// so that the next page begins too late. The server's total says how many went, but not where: so they
/// may be missing.
struct MissingRows: Hashable {
  private(set) var count = 0
  /// What the server said when the list was at the place where it goes on.
  private var total: Int?

  /// A load has brought a page.
  ///
  /// - Parameters:
  ///   - key: How the last page of the list was asked for.
  ///   - now: How many rows there are by now.
  mutating func take(_ kind: LoadKind, _ key: PageKey?, total now: Int?) {
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
