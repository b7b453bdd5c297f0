internal import Quire

extension Paging {
  /// The options that ask for this paging; `nil` where none do.
  var options: [String]? {
    var words = Options()
    switch shape {
    case .page(let parameter, let first, let counted):
      words.add("paging", "page")
      words.add("page-param", Words.text(parameter), unless: "query:page")
      words.add("first-page", "\(first)", unless: "1")
      words.add(counted, sizeOption: "size-param", usual: "query:per_page")
    case .offset(let parameter, let first, let counted):
      words.add("paging", "offset")
      words.add("offset-param", Words.text(parameter), unless: "query:offset")
      words.add("first-offset", "\(first)", unless: "0")
      words.add(counted, sizeOption: "limit-param", usual: "query:limit")
    case .cursor(let place, let into, let counted):
      words.add("cursor", Words.text(place))
      words.add("cursor-into", Words.text(into), unless: "query:cursor")
      words.add(counted, sizeOption: "size-param", usual: "query:limit")
    case .keyset(let fields, let places, let counted):
      let pairs = zip(fields, places).map { "\(Words.text($0))=\(Words.text($1))" }
      words.add("keyset", pairs.joined(separator: ","))
      words.add(counted, sizeOption: "limit-param", usual: "query:limit")
    case .link(let links):
      words.add("paging", "link")
      words.add(links)
    case .next(let place, let links):
      words.add("next", Words.text(place))
      words.add(links)
    case .relay(let connection, let size):
      words.add("paging", "relay")
      words.add("connection", Words.text(connection))
      words.add("size", "\(size)")
    case .range(let unit, let size):
      words.add("paging", "range")
      words.add("unit", unit, unless: "items")
      words.add("size", "\(size)")
    case .none: words.add("paging", "none")
    case .other: return nil
    }
    return words.isWhole ? words.words : nil
  }
}

private struct Options {
  var words: [String] = []
  var isWhole = true

  mutating func add(_ name: String, _ value: String, unless usual: String? = nil) {
    if value != usual { words += ["--\(name)", value] }
  }

  mutating func add(_ links: PagingShape.Links) {
    if let total = links.total { add("total", Words.text(total)) }
    if let base = links.base { add("next-base", base) }
  }

  mutating func add(_ counted: PagingShape.Counted, sizeOption: String, usual: String) {
    if let size = counted.size {
      add("size", "\(size)")
      add(sizeOption, counted.sizeParameter.map { Words.text($0) } ?? "none", unless: usual)
    }
    for end in counted.ends {
      switch end {
      case .hasNext(let place): add("has-next", Words.text(place))
      case .nextPage(let place): add("next-page", Words.text(place))
      case .pageCount(let place): add("pages", Words.text(place))
      case .lastPage(let place): add("last-page", Words.text(place))
      case .total(let place): add("total", Words.text(place))
      case .status(let status): add("end-status", "\(status)")
      default: isWhole = false
      }
    }
  }
}
