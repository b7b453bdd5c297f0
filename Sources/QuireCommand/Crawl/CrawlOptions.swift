internal import Quire

/// The options of `quire crawl`, parsed and checked against each other.
struct CrawlOptions: Sendable {
  enum Progress: String, Sendable { case auto, always, never }

  /// The list and how to request it.
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
  /// How many pages in a row may have no new row.
  var maxEmpty: Int?
  var parallel: Int
  var resumeFile: String?
  /// Where a page says that its rows are complete, if they come in parts.
  var merging: JSONPath?
  /// How many extra requests may be sent to find missing rows.
  var consistency = Consistency.Level.seams
  /// Where a response has the version of the whole list.
  var version: ResponseLocation?
  /// What is not assumed of the server.
  var distrusted: Set<ListAssumption>
  /// Has to be equal for a crawl to continue where another one stopped.
  var signature: CrawlSignature

  init(_ arguments: Arguments) throws(UsageError) {
    list = try ListOptions(arguments)
    // Nobody else reads the list through the same server.
    list.call.sharesExchange = false
    try Self.checkConflicts(arguments)
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
    maxEmpty = try arguments.number("max-empty")
    parallel = try arguments.number("parallel", atLeast: 1) ?? 1
    if parallel > 64 { throw UsageError("--parallel must be at most 64, found \(parallel)") }
    resumeFile = arguments["resume"]
    merging = try arguments["merge"].map { text throws(UsageError) in
      try OptionSyntax.path(text, of: "merge")
    }
    consistency = arguments["consistency"].flatMap(Consistency.Level.init) ?? .seams
    distrusted = try Self.assumptions(arguments["distrust"])
    version = try arguments["version-at"].map { text throws(UsageError) in
      try OptionSyntax.source(text, of: "version-at")
    }
    signature = CrawlSignature(arguments, list.call)
    try checkMerging()
    try checkClaim()
  }

  /// Throws if rows can't be merged.
  private func checkMerging() throws(UsageError) {
    guard merging != nil else { return }
    if list.identity == .none {
      throw UsageError(
        "--merge and --id none can't be used together: the parts of a row are found by its id")
    }
    if consistency > .seams {
      throw UsageError(
        "--merge and --consistency \(consistency.rawValue) can't be used together: rows in parts are"
          + " read once")
    }
    if parallel > 1 {
      throw UsageError(
        "--merge and --parallel can't be used together: the parts of a row come in order")
    }
  }

  /// Throws if the requested claim is not possible.
  private func checkClaim() throws(UsageError) {
    if version != nil, distrusted.contains(.version) {
      throw UsageError(
        "--version-at and --distrust version can't be used together: the version would say nothing")
    }
    let basis: Set<ListAssumption>
    switch consistency {
    case .any, .signs, .seams: return
    case .whole: basis = [.instants, .ids, .order]
    case .exact where version != nil: basis = [.ids]
    case .exact: basis = [.instants, .ids, .positions, .freshness, .absence]
    }
    let name = consistency.rawValue
    if list.identity == .none {
      throw UsageError(
        "--consistency \(name) and --id none can't be used together: rows are compared by their ids"
      )
    }
    if let word = ListAssumption.allCases.first(where: basis.intersection(distrusted).contains) {
      throw UsageError(
        "--consistency \(name) and --distrust \(word.rawValue) can't be used together: that claim"
          + " rests on it")
    }
  }

  /// Explains failures with the options of this command.
  var advice: FailureAdvice {
    FailureAdvice(.crawl(isRecorded: resumeFile != nil), list)
  }

  private static func assumptions(_ words: String?) throws(UsageError) -> Set<ListAssumption> {
    var assumptions: Set<ListAssumption> = []
    for word in words.map(OptionSyntax.list) ?? [] {
      guard let assumption = ListAssumption(rawValue: word) else {
        let known = ListAssumption.allCases.map(\.rawValue)
        throw UsageError(
          "--distrust must name assumptions (\(known.joined(separator: ", "))), found “\(word)”"
            + Suggestion.hint(for: word, among: known))
      }
      assumptions.insert(assumption)
    }
    return assumptions
  }

  private static func checkConflicts(_ arguments: Arguments) throws(UsageError) {
    try arguments.forbid("quiet", with: "explain", because: "--quiet prints only errors")
    if arguments.has("quiet"), arguments["progress"] == "always" {
      throw UsageError(
        "--quiet and --progress always can't be used together: --quiet prints only errors")
    }
    if arguments.has("safe-csv"), arguments["format"] != "csv" {
      throw UsageError("--safe-csv needs --format csv")
    }
    if arguments.has("resume"), let format = arguments["format"], format != "ndjson",
      format != "csv"
    {
      throw UsageError(
        "--resume and --format \(format) can't be used together: only ndjson and csv can be"
          + " appended to")
    }
  }
}
