internal import Quire
internal import TerminalList

/// Everything that is known about the list on the screen, in words.
struct BrowseFacts {
  /// How the list is read; `nil` before it has rows.
  var explanation: ListExplanation?
  var rows = 0
  /// The facts of the page that was loaded last.
  var page: PageFacts?
  var duplicates = 0
  var losses = RowLosses()
  var state = LoadState.idle
  var paging = Paging.automatic
  /// Explains a failure with the options of the command.
  var explain: (LoadError) -> FailureText = { FailureAdvice(.browse).text(of: $0, nil) }

  var text: String {
    var lines = explanation?.lines ?? ["No rows are loaded yet."]
    lines.append("")
    lines.append("loaded:  \(rows == 1 ? "1 row" : "\(rows) rows")")
    if let total = page?.total { lines.append("total:   \(total), as the server says") }
    if let count = page?.pageCount { lines.append("pages:   \(count), as the server says") }
    if duplicates > 0 {
      lines.append("dropped: \(duplicates == 1 ? "1 duplicate" : "\(duplicates) duplicates")")
    }
    if losses.mayLackRows { lines.append("lost:    rows may be missing") }
    if losses.unreadable > 0 { lines.append("lost:    \(losses.unreadable) could not be read") }
    for problem in page?.problems ?? [] {
      lines.append("problem: \(explain(.paging(problem)).line)")
    }
    lines.append("end:     \(end)")
    return lines.map(Self.onOneLine).joined(separator: "\n")
  }

  private var end: String {
    switch state {
    case .idle: "not reached, more rows load as you scroll"
    case .loading: "not reached, the next page is loading"
    case .stillSearching(let pages):
      "not reached, the last \(pages == 1 ? "page" : "\(pages) pages") had no rows to show; "
        + "press ↓ at the end to continue"
    case .failed(let error): "not reached, the next page failed: \(explain(error).text)"
    case .reachedEnd(let end):
      EndText(rows: rows, facts: page, paging: paging).text(end) { explain($0).text }
    }
  }

  /// Text of a server must not look like another fact.
  private static func onOneLine(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension BrowseFacts {
  /// Collects the facts about a list.
  ///
  /// - Parameter first: A row of its first page.
  @MainActor init(
    of model: ListModel<JSONView>, first: JSONView?, _ options: ListOptions,
    explain: @escaping (LoadError) -> FailureText
  ) {
    self.explain = explain
    let state = model.state(of: .next)
    self.state = state
    (rows, page) = (model.count, model.page?.facts)
    (duplicates, losses) = (model.duplicateCount, model.losses)
    paging = model.recognized?.paging ?? options.paging
    explanation = first.flatMap { row in
      let place = options.items ?? RowIDFinder.rowsPath(inPageOf: row)
      let id: JSONPath? =
        switch options.identity {
        case .none: nil
        case .by(let path): path
        case .recognized: RowIDFinder.path(inPageOf: row, at: options.items)
        }
      var end: ListEnd?
      if case .reachedEnd(let reached) = state { end = reached }
      return place.map {
        ListExplanation(
          itemsPath: $0, isItemsGiven: options.items != nil, idPath: id, declared: options.paging,
          recognized: model.recognized, end: end,
          consistency: end == nil ? nil : model.consistency,
          firstSeam: page.flatMap { paging.seam(before: $0.next, rows: rows) })
      }
    }
  }
}
