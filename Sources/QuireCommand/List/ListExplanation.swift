internal import Quire

/// What is known about how a list is read, in words: what `quire crawl --explain` prints.
struct ListExplanation {
  var itemsPath: JSONPath
  var isItemsGiven: Bool
  /// The path of the ids; `nil` if rows have none.
  var idPath: JSONPath?
  var declared: Paging
  var recognized: RecognizedPaging?
  var end: ListEnd?
  /// What is claimed of its rows; `nil` while that says little.
  var consistency: Consistency?
  /// The seam before the second page, where only the first one was read.
  var firstSeam: Seam?

  var lines: [String] {
    var lines: [String] = []
    let id = idPath.map { OptionSyntax.text($0) }
    let items = OptionSyntax.text(itemsPath)
    lines.append("rows:    \(items)" + (isItemsGiven ? ", as given" : ", detected"))
    lines.append(
      "id:      \(id.map { $0 == "$" ? "the row itself" : $0 } ?? "none, duplicates are kept")"
    )
    let paging = recognized?.paging ?? declared
    if let recognized {
      lines.append("paging:  \(paging)")
      lines.append("why:     \(recognized.reason)")
    } else if declared == .automatic {
      switch end {
      case .complete: lines.append("paging:  one page, the response leads to no other")
      case .incomplete:
        lines.append("paging:  not detected")
        return lines
      case nil:
        lines.append("paging:  not detected yet")
        return lines
      }
    } else {
      lines.append("paging:  \(paging), as given")
    }
    if let sureness { lines.append("sure:    \(sureness)") }
    var arguments = ["--items", items, "--id", id ?? "none"]
    let known = declared == .automatic && recognized == nil ? Paging.single : paging
    guard let options = known.options else {
      lines.append("This paging can't be written as options.")
      return lines
    }
    arguments += options
    lines.append("options: \(arguments.map(OptionSyntax.shellQuoted).joined(separator: " "))")
    return lines
  }

  /// What can be claimed of the rows, now or at the end.
  private var sureness: String? {
    if let consistency { return consistency.description }
    return switch firstSeam {
    case .chained: "no row that stays is skipped, provided that cursors mark places"
    case .assumed: "rows may be skipped if others are removed meanwhile, as positions are counted"
    default: nil
    }
  }
}
