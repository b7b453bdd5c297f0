/// What a crawl that was stopped has written, and how to go on.
struct StopNote: Hashable, Sendable {
  /// Why the crawl stopped before the end of the list.
  enum Cause: Hashable, Sendable {
    /// The limit that this option sets.
    case limit(String)
    case interrupt
    /// An error, which was printed.
    case failure
  }

  var cause: Cause
  /// The rows of this run.
  var rows: Int
  /// The rows of the earlier runs that it continues.
  var rowsBefore = 0
  /// Where the rows are.
  var target: String
  var format = RowFormat.ndjson
  var resumeFile: String?

  /// One line; `nil` if there are no rows, so that nothing is lost by starting over.
  var text: String? {
    guard rows + rowsBefore > 0 else { return nil }
    let reason =
      switch cause {
      case .limit(let option): "stopped by \(option)"
      case .interrupt: "interrupted"
      case .failure: "stopped by the error"
      }
    let earlier = rowsBefore == 0 ? "" : ", after \(rowsBefore) of earlier runs"
    let count = rows == 1 ? "1 row was written" : "\(rows) rows were written"
    return "\(reason): \(count) to \(target)\(earlier); \(next)"
  }

  private var next: String {
    if let resumeFile {
      return
        "to continue, run the same command again, with --resume \(OptionSyntax.shellQuoted(resumeFile))"
    }
    let formats = format == .ndjson || format == .csv ? "" : " and --format ndjson or csv"
    return "a crawl with --resume FILE\(formats) can be continued"
  }
}
