internal import Quire

extension Paging {
  /// The options that declare this paging; `nil` if options can't express it.
  var options: [String]? {
    var options = Options()
    switch way {
    case .pageNumber(let way):
      options.add("paging", "page")
      options.add("page-param", OptionSyntax.text(way.parameter), unless: "query:page")
      options.add("first-page", "\(way.start)", unless: "1")
      options.add(way.pages, sizeOption: "size-param", standard: "query:per_page")
    case .offset(let way):
      options.add("paging", "offset")
      options.add("offset-param", OptionSyntax.text(way.parameter), unless: "query:offset")
      options.add("first-offset", "\(way.start)", unless: "0")
      options.add(way.pages, sizeOption: "limit-param", standard: "query:limit")
    case .cursor(let way):
      options.add("cursor", OptionSyntax.text(way.next))
      options.add("cursor-into", OptionSyntax.text(way.into), unless: "query:cursor")
      options.add(way.pages, sizeOption: "size-param", standard: "query:limit")
    case .keyset(let way):
      let pairs = zip(way.fields, way.places).map { field, place in
        "\(OptionSyntax.text(field))=\(OptionSyntax.text(place))"
      }
      options.add("keyset", pairs.joined(separator: ","))
      if way.isUnique { options.words.append("--unique-keys") }
      options.add(way.pages, sizeOption: "limit-param", standard: "query:limit")
    case .link(let way):
      options.add("paging", "link")
      options.add(total: way.total, way.addresses)
    case .nextURL(let way):
      options.add("next", OptionSyntax.text(way.next))
      options.add(total: way.total, way.addresses)
    case .relay(let way):
      options.add("paging", "relay")
      options.add("connection", OptionSyntax.text(way.connection))
      options.add("size", "\(way.size)")
    case .range(let way):
      options.add("paging", "range")
      options.add("unit", way.unit, unless: "items")
      options.add("size", "\(way.size)")
    case .single: options.add("paging", "none")
    case .custom, .automatic: return nil
    }
    return options.isComplete ? options.words : nil
  }
}

private struct Options {
  var words: [String] = []
  var isComplete = true

  mutating func add(_ name: String, _ value: String, unless standard: String? = nil) {
    if value != standard { words += ["--\(name)", value] }
  }

  mutating func add(total: ResponseLocation?, _ addresses: PageAddresses) {
    if let total { add("total", OptionSyntax.text(total)) }
    if let base = addresses.base { add("next-base", base.description) }
  }

  mutating func add(_ pages: CountedPages, sizeOption: String, standard: String) {
    if let size = pages.size {
      add("size", "\(size)")
      add(sizeOption, pages.sizeParameter.map { OptionSyntax.text($0) } ?? "none", unless: standard)
    }
    for end in pages.ends {
      switch end {
      case .hasNext(let place): add("has-next", OptionSyntax.text(place))
      case .isLast(let place): add("has-next", "!" + OptionSyntax.text(place))
      case .nextPage(let place): add("next-page", OptionSyntax.text(place))
      case .pageCount(let place): add("pages", OptionSyntax.text(place))
      case .lastPage(let place): add("last-page", OptionSyntax.text(place))
      case .total(let place): add("total", OptionSyntax.text(place))
      case .status(let status): add("end-status", "\(status)")
      case .emptyPage: add("end", "empty")
      case .repeatedCursor: add("end", "repeat")
      case .cursor(let cursor): add("end", "cursor:" + cursor.text())
      case .shortPage, .page: isComplete = false
      }
    }
  }
}
