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
  /// How seams between pages are seen, if at all; `nil` where that is not decided.
  var sight: Sight?
  /// The requests that were tried to find the paging.
  var trials: [TrialAttempt] = []
  /// The member that ends the list, where its meaning was recognized by its name.
  var endMember: String?

  /// How seams between pages are seen.
  enum Sight {
    /// Pages begin with rows of the page before.
    case overlap
    /// They would with this level.
    case overlapAt(Consistency.Level)
    /// They would if the size of a page was requested, and with the level that pages of numbers need.
    case overlapWithSize
    /// They are not looked at.
    case notAsked
    /// The paging has no way.
    case none
  }

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
      lines += tried
    } else if declared == .automatic {
      switch end {
      case .complete:
        lines.append("paging:  one page, the response leads to no other")
        lines += tried
      case .incomplete:
        lines.append("paging:  not detected")
        return lines + tried
      case nil:
        lines.append("paging:  not detected yet")
        return lines
      }
    } else {
      lines.append("paging:  \(paging), as given")
    }
    if end != nil, let endMember { lines.append("end:     \(endMember), by its name") }
    if let seams { lines.append("seams:   \(seams)") }
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

  /// How it is noticed that rows move between two pages.
  private var seams: String? {
    if consistency != nil { return nil }
    switch sight {
    case .overlap?: return "pages begin with rows of the page before, and rows that moved are read"
    case .overlapAt(let level)?:
      return
        "not seen; with --consistency \(level.rawValue) pages overlap, which takes more requests"
    case .overlapWithSize?:
      return "not seen; numbered pages overlap with --size N and --consistency whole"
    case .notAsked?: return "not looked at; --consistency seams does"
    case .none?:
      return firstSeam == .chained
        ? "each page leads to the next one" : "not seen, as this paging can't overlap pages"
    case nil: return nil
    }
  }

  private var tried: [String] { trials.map { "tried:   \($0)" } }

  /// What can be claimed of the rows, now or at the end.
  private var sureness: String? {
    if let consistency { return consistency.description }
    if case .overlap? = sight {
      return "no row that stays is skipped, provided that rows keep their order"
    }
    return switch firstSeam {
    case .chained: "no row that stays is skipped, provided that cursors mark places"
    case .assumed: "rows may be skipped if others are removed meanwhile, as positions are counted"
    default: nil
    }
  }
}
