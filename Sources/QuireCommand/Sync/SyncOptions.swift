internal import ListSync
internal import Quire

/// The options of `quire sync`: those of a crawl, and those of rounds.
struct SyncOptions: Sendable {
  var crawl: CrawlOptions
  let stateFile: String
  /// The time from the beginning of a round to that of the next one; `nil` for one round.
  let pause: Duration?
  let deleteLimit: DeleteLimit

  init(_ arguments: Arguments) throws(UsageError) {
    guard let file = arguments["state"] else {
      throw UsageError("--state is missing; name a file that keeps what is known of the list: --state FILE")
    }
    stateFile = file
    crawl = try CrawlOptions(arguments)
    // Failures advise to continue later.
    crawl.resumeFile = file
    if crawl.list.identity == .none {
      throw UsageError("--id none can't be used with sync: rows are compared with those of earlier rounds by their ids")
    }
    pause = try arguments.seconds("every")
    switch arguments["max-deletes"] {
    case nil: deleteLimit = DeleteLimit()
    case "all": deleteLimit = .none
    case .some: deleteLimit = DeleteLimit(rows: try arguments.number("max-deletes") ?? 0, share: 0)
    }
  }
}
