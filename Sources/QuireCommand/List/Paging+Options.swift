internal import Quire

extension Paging {
  /// The options that ask for this paging; `nil` where none do.
  var options: [String]? {
    var words = Options()
    switch way {
    case .pageNumber(let way):
      words.add("paging", "page")
      words.add("page-param", Words.text(way.parameter), unless: "query:page")
      words.add("first-page", "\(way.start)", unless: "1")
      words.add(way.pages, sizeOption: "size-param", usual: "query:per_page")
    case .offset(let way):
      words.add("paging", "offset")
      words.add("offset-param", Words.text(way.parameter), unless: "query:offset")
      words.add("first-offset", "\(way.start)", unless: "0")
      words.add(way.pages, sizeOption: "limit-param", usual: "query:limit")
    case .cursor(let way):
      words.add("cursor", Words.text(way.next))
      words.add("cursor-into", Words.text(way.into), unless: "query:cursor")
      words.add(way.pages, sizeOption: "size-param", usual: "query:limit")
    case .keyset(let way):
      let pairs = zip(way.fields, way.places).map { "\(Words.text($0))=\(Words.text($1))" }
      words.add("keyset", pairs.joined(separator: ","))
      words.add(way.pages, sizeOption: "limit-param", usual: "query:limit")
    case .link(let way):
      words.add("paging", "link")
      words.add(total: way.total, way.addresses)
    case .nextURL(let way):
      words.add("next", Words.text(way.next))
      words.add(total: way.total, way.addresses)
    case .relay(let way):
      words.add("paging", "relay")
      words.add("connection", Words.text(way.connection))
      words.add("size", "\(way.size)")
    case .range(let way):
      words.add("paging", "range")
      words.add("unit", way.unit, unless: "items")
      words.add("size", "\(way.size)")
    case .single: words.add("paging", "none")
    case .custom, .automatic: return nil
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

  mutating func add(total: ResponseLocation?, _ addresses: PageAddresses) {
    if let total { add("total", Words.text(total)) }
    if let base = addresses.base { add("next-base", base.description) }
  }

  mutating func add(_ pages: CountedPages, sizeOption: String, usual: String) {
    if let size = pages.size {
      add("size", "\(size)")
      add(sizeOption, pages.sizeParameter.map { Words.text($0) } ?? "none", unless: usual)
    }
    for end in pages.ends {
      switch end {
      case .hasNext(let place): add("has-next", Words.text(place))
      case .nextPage(let place): add("next-page", Words.text(place))
      case .pageCount(let place): add("pages", Words.text(place))
      case .lastPage(let place): add("last-page", Words.text(place))
      case .total(let place): add("total", Words.text(place))
      case .status(let status): add("end-status", "\(status)")
      case .shortPage, .emptyPage, .page: isWhole = false
      }
    }
  }
}
