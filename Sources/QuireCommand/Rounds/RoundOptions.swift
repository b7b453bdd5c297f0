internal import ListSync
internal import Quire

/// The options of a command that reads a list round by round: those of a crawl, and those of rounds.
struct RoundOptions: Sendable {
  var crawl: CrawlOptions
  /// The time from the beginning of a round to that of the next one; `nil` for one round.
  let pause: Duration?
  var deleteLimit: DeleteLimit
  /// How rounds between full ones read only what may have changed; `nil` to read the whole list each time.
  let watermark: SyncWatermark?

  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - command: The name of the command.
  ///   - file: What the next run goes on from.
  init(_ arguments: Arguments, of command: String, from file: String) throws(UsageError) {
    crawl = try CrawlOptions(arguments)
    // Failures advise to continue later.
    crawl.resumeFile = file
    if crawl.list.identity == .none {
      throw UsageError(
        "--id none can't be used with \(command): rows are compared with those of earlier rounds by their ids")
    }
    pause = try arguments.seconds("every")
    switch arguments["max-deletes"] {
    case nil: deleteLimit = DeleteLimit()
    case "all": deleteLimit = .none
    case .some: deleteLimit = DeleteLimit(rows: try arguments.number("max-deletes") ?? 0, share: 0)
    }
    watermark = try Self.watermark(arguments)
  }

  /// The name of the option that says where the stamps are.
  var watermarkOption: String {
    if case .since? = watermark?.way { "since-param" } else { "newest-first" }
  }

  private static func watermark(_ arguments: Arguments) throws(UsageError) -> SyncWatermark? {
    let full = try arguments.number("full", atLeast: 1)
    let fullEvery = full ?? SyncWatermark.usualFullEvery
    switch (arguments["newest-first"], arguments["since-param"]) {
    case (nil, nil):
      if full != nil {
        throw UsageError("--full needs --newest-first or --since-param: without them, each round reads the whole list")
      }
      return nil
    case (.some, .some):
      throw UsageError(
        "--newest-first and --since-param can't be used together: both say which rows a round reads; use --since-param"
          + " where the server has such a filter")
    case (let path?, nil):
      return .newestFirst(by: try OptionSyntax.path(path, of: "newest-first"), fullEvery: fullEvery)
    case (nil, let text?):
      guard let place = text.firstIndex(of: "="), place != text.startIndex else {
        throw UsageError(
          "--since-param must be the name of a parameter and the path of the stamp in a row, as"
            + " updated_after=updated_at, found “\(text)”")
      }
      let path = try OptionSyntax.path(String(text[text.index(after: place)...]), of: "since-param")
      return .since(String(text[..<place]), path, fullEvery: fullEvery)
    }
  }
}
