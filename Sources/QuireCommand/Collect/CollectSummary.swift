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

  /// Adds what became of the lists of all rows of another one.
  ///
  /// - Parameter texts: Why the first of these lists were not read, by their rows, where that is more than their errors.
  func add(_ children: ChildrenSummary, _ texts: [RowID: String], _ list: CollectList, masked: (String) -> String) {
    if isJSON {
      lists.append((list.name, JSONAny.object(JSONAny.Object(children.members(texts))).masked(masked)))
    } else {
      console.print(masked(Self.text(of: children, texts, list)) + "\n")
    }
  }

  func add(failure text: String, _ list: CollectList) {
    var members: [(String, JSONAny)] = []
    // Its round may have ended before something was found to be wrong with it.
    if let place = lists.firstIndex(where: { $0.0 == list.name }), case .object(let object) = lists.remove(at: place).1
    {
      members = object.map { ($0.name, $0.value) }
    }
    lists.append((list.name, .object(JSONAny.Object(members + [("error", .string(text))]))))
  }

  /// Ends a turn.
  func end() {
    if isPlan, isJSON { console.print(JSONAny.Object(lists).text() + "\n") }
    lists = []
  }

  private static func text(of children: ChildrenSummary, _ texts: [RowID: String], _ list: CollectList) -> String {
    let lists = children.read == 1 ? "1 list" : "\(children.read.grouped) lists"
    let changes = text(
      of: [children.inserted, children.updated, children.deleted, children.heldBack, children.unreadable], list)
    var text = "\(list.name): \(lists) of \(children.parent) (\(changes))"
    if children.incomplete > 0 { text += ", \(children.incomplete.grouped) incomplete" }
    if children.failed > 0 { text += ", \(children.failed.grouped) failed" }
    let failure = children.failures.first.map { "\($0.row): \($0.text(texts))" }
    if let cause = failure ?? children.incompleteLists.first.map({ "\($0.row): \($0.problem)" }) {
      text += ": " + cause.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    return text
  }

  /// Returns how many rows are new, changed, gone, held back and not stored.
  private static func text(of counts: [Int], _ list: CollectList) -> String {
    let words = ["new", "changed", "gone", "held back", "not stored"]
    let texts = zip(counts, words).compactMap { count, word in
      count == 0 || word == "held back" && list.deletes == .off ? nil : "\(count.grouped) \(word)"
    }
    return texts.isEmpty ? "nothing new" : texts.joined(separator: ", ")
  }

  private static func text(of receipt: SyncReceipt, _ list: CollectList) -> String {
    let changes = text(
      of: [receipt.inserted, receipt.updated, receipt.deleted, receipt.heldBack, receipt.unreadable], list)
    let rows = receipt.rows == 1 ? "1 row" : "\(receipt.rows.grouped) rows"
    let requests = receipt.requests == 1 ? "1 request" : "\(receipt.requests.grouped) requests"
    return "\(list.name): \(rows) (\(changes)) after \(requests): \(receipt.consistency)"
  }
}

extension ChildrenSummary {
  fileprivate func members(_ texts: [RowID: String]) -> [(String, JSONAny)] {
    [
      ("of", .string(parent)),
      ("lists", .int(read)),
      ("complete", .bool(incomplete == 0 && failed == 0 && problem == nil)),
      ("incomplete", .int(incomplete)),
      ("failed", .int(failed)),
      ("problem", problem.map { .string($0) } ?? .null),
      ("requests", .int(requests)),
      ("rows", .int(rows)),
      ("inserted", .int(inserted)),
      ("updated", .int(updated)),
      ("deleted", .int(deleted)),
      ("held_back", .int(heldBack)),
      ("unreadable", .int(unreadable)),
      (
        "incomplete_lists",
        .array(incompleteLists.map { ["row": .string("\($0.row)"), "problem": .string($0.problem)] })
      ),
      ("failures", .array(failures.map { ["row": .string("\($0.row)"), "error": .string($0.text(texts))] })),
    ]
  }
}

extension ChildrenSummary.Failure {
  fileprivate func text(_ texts: [RowID: String]) -> String {
    if let text = texts[row] { return text }
    if case CollectError.row(_, _, let text) = error { return text }
    return "\(error)"
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
