internal import ListSync
internal import Quire
internal import QuireCollect

/// What `quire collect` says of a round on its output.
enum CollectSummary {
  static func text(of receipt: SyncReceipt, _ options: CollectOptions) -> String {
    let name = options.list.name
    if options.printsJSON {
      return JSONAny.Object([("list", .string(name))] + receipt.members).text()
    }
    let counts = [
      (receipt.inserted, "new"), (receipt.updated, "changed"), (receipt.deleted, "gone"),
      (options.list.deletes == .off ? 0 : receipt.heldBack, "held back"), (receipt.unreadable, "not stored"),
    ].compactMap { $0.0 > 0 ? "\($0.0.grouped) \($0.1)" : nil }
    let changes = counts.isEmpty ? "nothing new" : counts.joined(separator: ", ")
    let rows = receipt.rows == 1 ? "1 row" : "\(receipt.rows.grouped) rows"
    let requests = receipt.requests == 1 ? "1 request" : "\(receipt.requests.grouped) requests"
    return "\(name): \(rows) (\(changes)) after \(requests): \(receipt.consistency)"
  }
}

/// Draws how far a round is, on a terminal.
final class CollectProgress {
  private var line: ProgressLine
  private var progress = CrawlProgress()
  private let time = TimeSource.system
  private var start: Duration

  init(_ console: Console, _ options: CrawlOptions) {
    var options = options
    options.progress = !options.isQuiet && console.errors.isTerminal ? .always : .never
    line = ProgressLine(console, options)
    start = time.now()
  }

  func add(_ walk: SyncWalk, _ step: SyncWalk.Step) {
    if progress.pages == 0 { start = time.now() }
    progress.pages = walk.walk?.pages ?? progress.pages
    progress.rows = walk.state.seenCount
    progress.seconds = (time.now() - start) / .seconds(1)
    line.show(progress, at: time.now())
  }

  func end() {
    line.clear()
    progress = CrawlProgress()
  }
}
