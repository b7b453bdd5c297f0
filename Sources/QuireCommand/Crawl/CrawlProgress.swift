internal import Quire

/// The progress of a crawl.
struct CrawlProgress: Hashable, Sendable {
  var rows = 0
  var pages = 0
  /// The rows of the earlier runs that this one continues.
  var rowsBefore = 0
  var total: Int?
  var seconds = 0.0

  /// Returns a line such as `[████····] 1,200 of 5,000 rows, 24 pages, 350 rows/s, 11 s left`.
  func line(width: Int = 80) -> String {
    let all = rows + rowsBefore
    var facts = [
      total.map { "\(all.grouped) of \($0.grouped) rows" }
        ?? (all == 1 ? "1 row" : "\(all.grouped) rows")
    ]
    facts.append(pages == 1 ? "1 page" : "\(pages.grouped) pages")
    if seconds > 0, rows > 0 {
      let rate = Double(rows) / seconds
      facts.append("\(rate < 10 ? String(tenths(rate)) : Int(rate).grouped) rows/s")
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

  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(seconds.rounded(.up), 1e9))
    if seconds < 100 { return "\(seconds) s" }
    if seconds < 6_000 { return "\((seconds + 30) / 60) min" }
    return "\((seconds + 1_800) / 3_600) h"
  }
}

/// Draws the progress as one line on standard error.
struct ProgressLine {
  private let console: Console
  let isShown: Bool
  private var last: Duration?
  private var isDrawn = false

  init(_ console: Console, _ options: CrawlOptions) {
    self.console = console
    isShown =
      switch options.progress {
      case .always: true
      case .never: false
      // Rows on the same terminal would break the line apart.
      case .auto:
        !options.isQuiet && console.errors.isTerminal && !console.output.isTerminal
      }
  }

  /// Draws the line, at most ten times a second.
  mutating func show(_ progress: CrawlProgress, at now: Duration) {
    guard isShown, last.map({ now - $0 >= .milliseconds(100) }) ?? true else { return }
    last = now
    draw(progress)
  }

  mutating func clear() {
    if isDrawn { console.draw("\r\u{1B}[K") }
    isDrawn = false
  }

  mutating func end(_ progress: CrawlProgress) {
    guard isShown else { return }
    draw(progress)
    console.draw("\n")
  }

  private mutating func draw(_ progress: CrawlProgress) {
    // Leave the last column free: some terminals wrap there.
    console.draw("\r\u{1B}[K" + progress.line(width: min(80, (console.errors.columns ?? 81) - 1)))
    isDrawn = true
  }
}
