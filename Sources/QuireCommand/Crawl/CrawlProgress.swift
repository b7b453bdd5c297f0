internal import Quire

/// How far a crawl has come.
struct CrawlProgress: Hashable, Sendable {
  var rows = 0
  var pages = 0
  /// Rows of earlier runs that this one went on behind.
  var before = 0
  var total: Int?
  var seconds = 0.0

  /// `[████····] 1,200 of 5,000 rows, 24 pages, 350 rows/s, 11 s left`.
  func line(width: Int = 80) -> String {
    let all = rows + before
    var facts = [total.map { "\(grouped(all)) of \(grouped($0)) rows" } ?? "\(grouped(all)) rows"]
    facts.append(pages == 1 ? "1 page" : "\(grouped(pages)) pages")
    if seconds > 0, rows > 0 {
      let rate = Double(rows) / seconds
      facts.append("\(rate < 10 ? String(tenths(rate)) : grouped(Int(rate))) rows/s")
      if let total, total > all { facts.append("\(Self.time(Double(total - all) / rate)) left") }
    }
    let text = facts.joined(separator: ", ")
    guard let total, total > 0, width - text.count > 14 else { return String(text.prefix(width)) }
    let cells = min(20, width - text.count - 3)
    let full = min(cells, all * cells / total)
    return "["
      + String(repeating: "█", count: full) + String(repeating: "·", count: cells - full) + "] "
      + text
  }

  private func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

  private func grouped(_ number: Int) -> String {
    var digits = Array("\(number)")
    var at = digits.count - 3
    while at > 0 {
      digits.insert(",", at: at)
      at -= 3
    }
    return String(digits)
  }

  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(seconds.rounded(.up), 1e9))
    if seconds < 100 { return "\(seconds) s" }
    if seconds < 6_000 { return "\((seconds + 30) / 60) min" }
    return "\((seconds + 1_800) / 3_600) h"
  }
}

/// What a crawl came to, for `--stats`.
struct CrawlStats: Hashable, Sendable {
  var rows = 0
  var pages = 0
  var duplicates = 0
  var seams = 0
  var seconds = 0.0
  var isComplete = false
  /// Whether it ended within a page, as it has as many rows as were wanted.
  var isCut = false

  func json(_ counts: CrawlMonitor.Counts) -> String {
    let object: JSONObject = [
      "rows": .int(rows), "pages": .int(pages), "requests": .int(counts.requests),
      "duplicates": .int(duplicates), "retries": .int(counts.retries),
      "bytes": .int(counts.bytes), "seconds": .double((seconds * 1000).rounded() / 1000),
      "complete": .bool(isComplete), "seams": .int(seams),
    ]
    return object.text()
  }
}
