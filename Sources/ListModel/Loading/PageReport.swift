public import ItemMapping

/// What was not quite as expected about one page.
public struct PageReport: Hashable, Sendable {
  /// The load that brought it.
  public var kind: LoadKind
  /// Rows that the list had already.
  public var duplicates = 0
  /// Rows that the page itself had twice.
  public var repeats = 0
  /// Rows that the list's filter left out.
  public var filtered = 0
  /// Values and rows that could not be read.
  public var mapping = MappingReport()
  /// Values that could not be read of what is around the rows.
  public var envelope = MappingReport()
  /// Facts about its place that can't be so.
  public var problems: [PagingError] = []

  /// Whether there is nothing to say.
  public var isClean: Bool {
    duplicates == 0 && repeats == 0 && filtered == 0 && mapping.isClean && envelope.isClean
      && problems.isEmpty
  }
}

extension PageReport: CustomStringConvertible {
  /// One line for each kind of trouble; empty where there was none.
  public var description: String {
    var lines: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { lines.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
    }
    add(duplicates, "row was there already", "rows were there already")
    add(repeats, "row is in the page twice", "rows are in the page twice")
    add(filtered, "row was filtered out", "rows were filtered out")
    lines += problems.map(\.description)
    if !envelope.isClean { lines.append(envelope.description) }
    if !mapping.isClean { lines.append(mapping.description) }
    return lines.joined(separator: "\n")
  }
}
