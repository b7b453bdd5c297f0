internal import ListSync
internal import Quire
internal import QuireCollect

/// What `quire collect` says of rounds on its output.
final class CollectSummary {
  private let isPlan: Bool
  private let isJSON: Bool
  private let console: Console
  /// What is known of the lists of this turn.
  private var lists: [(String, JSONAny)] = []

  /// - Parameter isPlan: Whether a summary in JSON is one for all lists.
  init(isPlan: Bool, _ isJSON: Bool, _ console: Console) {
    (self.isPlan, self.isJSON, self.console) = (isPlan, isJSON, console)
  }

  func add(_ receipt: SyncReceipt, _ list: CollectList, masked: (String) -> String) {
    if isJSON {
      lists.append((list.name, JSONAny.object(JSONAny.Object(receipt.members)).masked(masked)))
      if !isPlan {
        console.print(JSONAny.Object([("list", .string(list.name))] + receipt.members).text() + "\n")
      }
    } else {
      console.print(masked(Self.text(of: receipt, list)) + "\n")
    }
  }

  func add(failure text: String, _ list: CollectList) {
    lists.append((list.name, .object(["error": .string(text)])))
  }

  /// Ends a turn.
  func end() {
    if isPlan, isJSON { console.print(JSONAny.Object(lists).text() + "\n") }
    lists = []
  }

  private static func text(of receipt: SyncReceipt, _ list: CollectList) -> String {
    let counts = [
      (receipt.inserted, "new"), (receipt.updated, "changed"), (receipt.deleted, "gone"),
      (list.deletes == .off ? 0 : receipt.heldBack, "held back"), (receipt.unreadable, "not stored"),
    ].compactMap { $0.0 > 0 ? "\($0.0.grouped) \($0.1)" : nil }
    let changes = counts.isEmpty ? "nothing new" : counts.joined(separator: ", ")
    let rows = receipt.rows == 1 ? "1 row" : "\(receipt.rows.grouped) rows"
    let requests = receipt.requests == 1 ? "1 request" : "\(receipt.requests.grouped) requests"
    return "\(list.name): \(rows) (\(changes)) after \(requests): \(receipt.consistency)"
  }
}

extension JSONAny {
  /// The value with all its texts masked.
  fileprivate func masked(_ masked: (String) -> String) -> JSONAny {
    switch self {
    case .string(let text): .string(masked(text))
    case .array(let values): .array(values.map { $0.masked(masked) })
    case .object(let object): .object(JSONAny.Object(object.map { ($0.name, $0.value.masked(masked)) }))
    default: self
    }
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
