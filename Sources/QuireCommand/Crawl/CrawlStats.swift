internal import Quire

/// The statistics of a crawl, for `--stats`.
struct CrawlStats: Hashable, Sendable {
  var rows = 0
  var pages = 0
  var duplicates = 0
  var consistency: Consistency?
  /// The number of rows that the server reported beyond those that it sent.
  var missing: Int?
  /// The number of rows that were not in the list at the instant of an exact claim.
  var gone = 0
  var seconds = 0.0
  var isComplete = false
  /// Whether it stopped within a page because of `--max-items`.
  var isTruncated = false

  private var seams: JSONAny.Object {
    var object = JSONAny.Object()
    for seam in Seam.allCases {
      object[seam.rawValue] = consistency?.seams[seam].map { .int($0) }
    }
    return object
  }

  func json(_ counts: ListMonitor.Counts) -> String {
    let object: JSONAny.Object = [
      "rows": .int(rows), "pages": .int(pages), "requests": .int(counts.requests),
      "duplicates": .int(duplicates), "retries": .int(counts.retries),
      "bytes": .int(counts.bytes), "seconds": .double((seconds * 1000).rounded() / 1000),
      "complete": .bool(isComplete),
      "consistency": .string(consistency?.claim.name ?? "may-lack"),
      "may_lack": (consistency?.claim.bound ?? missing).map { .int($0) } ?? .null,
      "seams": .object(seams), "checks": .int(consistency?.checks ?? 0),
      "mended": .int(consistency?.seams[.mended] ?? 0),
      "open_seams": .int(consistency?.seams[.open] ?? 0), "gone": .int(gone),
    ]
    return object.text()
  }
}
