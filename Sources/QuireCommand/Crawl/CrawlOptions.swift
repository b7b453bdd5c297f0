internal import Quire

/// What a crawl is to do: its options, read and checked against each other.
struct CrawlOptions: Sendable {
  enum Progress: String, Sendable { case auto, always, never }

  /// Which list, and how it is asked for.
  var list: ListOptions
  var selection: Selection?
  var format = RowFormat.ndjson
  var isSafeCSV: Bool
  var progress = Progress.auto
  var showsStats: Bool
  var explains: Bool
  var isQuiet: Bool
  var maxPages: Int
  var maxItems: Int
  var parallel: Int
  var resumeFile: String?
  /// What has to be the same for a crawl to go on where another one stopped.
  var signature: CrawlSignature

  init(_ arguments: Arguments) throws(UsageError) {
    list = try ListOptions(arguments)
    try Self.checkContradictions(arguments)
    let selected = arguments.all("select")
    if !selected.isEmpty { selection = try Selection(selected) }
    format = arguments["format"].flatMap(RowFormat.init) ?? .ndjson
    isSafeCSV = arguments.has("safe-csv")
    progress = arguments["progress"].flatMap(Progress.init) ?? .auto
    showsStats = arguments.has("stats")
    explains = arguments.has("explain")
    isQuiet = arguments.has("quiet")
    maxPages = try arguments.number("max-pages", atLeast: 1) ?? .max
    maxItems = try arguments.number("max-items", atLeast: 1) ?? .max
    parallel = try arguments.number("parallel", atLeast: 1) ?? 1
    if parallel > 64 { throw UsageError("--parallel is at most 64, found \(parallel)") }
    resumeFile = arguments["resume"]
    signature = CrawlSignature(arguments, list.call)
  }

  private static func checkContradictions(_ arguments: Arguments) throws(UsageError) {
    try arguments.forbid("quiet", with: "explain", because: "one says nothing, the other something")
    if arguments.has("quiet"), arguments["progress"] == "always" {
      throw UsageError("--quiet and --progress always contradict each other")
    }
    if arguments.has("safe-csv"), arguments["format"] != "csv" {
      throw UsageError("--safe-csv needs --format csv")
    }
    if arguments.has("resume"), let format = arguments["format"], format != "ndjson",
      format != "csv"
    {
      throw UsageError(
        "--resume and --format \(format) contradict each other: only ndjson and csv can be"
          + " appended to")
    }
  }
}
