internal import ListModel
internal import ServerAPI

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

  func text(at now: Double, offset: Int = 0) -> String {
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
