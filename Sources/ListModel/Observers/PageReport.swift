public import ItemMapping
public import ListReading

/// A report about everything unexpected in one page.
public struct PageReport: Hashable, Sendable {
  /// The load that loaded the page.
  public var kind: LoadKind
  /// The number of rows that the list already had.
  public var duplicates = 0
  /// The number of rows that the page itself repeats.
  public var repeats = 0
  /// The number of rows that the list's filter dropped.
  public var filtered = 0
  /// Values and rows that could not be read.
  public var mapping = MappingReport()
  /// Values around the rows that could not be read.
  public var envelope = MappingReport()
  /// Facts about the page's place that can't be true.
  public var problems: [PagingError] = []

  /// Whether there is nothing to report.
  public var isClean: Bool {
    duplicates == 0 && repeats == 0 && filtered == 0 && mapping.isClean && envelope.isClean
      && problems.isEmpty
  }
}

extension PageReport: CustomStringConvertible {
  /// One line per kind of issue; empty without issues.
  public var description: String {
    var lines: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { lines.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
    }
    add(duplicates, "row was already in the list", "rows were already in the list")
    add(repeats, "row is repeated in the page", "rows are repeated in the page")
    add(filtered, "row was filtered out", "rows were filtered out")
    lines += problems.map(\.description)
    if !envelope.isClean { lines.append(envelope.description) }
    if !mapping.isClean { lines.append(mapping.description) }
    return lines.joined(separator: "\n")
  }
}

extension LoadedPage {
  /// Returns the report about everything unexpected in the page.
  func report(of kind: LoadKind) -> PageReport {
    var report = PageReport(kind: kind)
    report.filtered = filtered
    report.mapping = page.report
    report.problems = page.facts.problems
    report.envelope = envelopeReport
    return report
  }
}
