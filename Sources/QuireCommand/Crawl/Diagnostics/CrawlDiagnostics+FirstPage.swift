internal import Quire

/// Paths of the user that find nothing in the first page.
extension CrawlDiagnostics {
  /// Returns what is unusual in the first page. Throws if a path of an option finds nothing in it and is probably a
  /// mistake.
  static func check(
    _ page: PageWalk.Page, response: HTTPResponse?, end: ListEnd?, options: CrawlOptions
  ) throws(EarlyExit) -> [String] {
    guard let first = page.rows.first else { return [] }
    var texts: [String] = []
    var paths = options.selection.map { $0.fields.map { ("select", $0.path) } } ?? []
    if case .by(let path) = options.list.identity { paths.append(("id", path)) }
    for (option, path) in paths where !page.rows.contains(where: { $0[path] != nil }) {
      let hint = hint(for: path, in: first)
      let text = "--\(option): no row of the first page has \(OptionSyntax.text(path))"
      guard hint != nil || option == "id" else {
        texts.append(text)
        continue
      }
      throw EarlyExit(.usage, text + (hint.map { "; \($0)" } ?? ""))
    }
    for (option, location) in locations(options) {
      guard let missing = missing(location, in: first.document.root, response) else { continue }
      let text = "--\(option): the response has no \(missing.name)"
      if ["cursor", "next"].contains(option), missing.isAbsent {
        // The only page of a list can leave it out. If there is more, the walk says so.
        if end == .complete { texts.append("\(text), so this is the only page") }
      } else if let hint = missing.hint {
        throw EarlyExit(.usage, "\(text); \(hint)")
      }
    }
    return texts
  }

  /// The part of a location that a response doesn't have.
  struct Missing {
    var name: String
    /// What is there instead, or a similar name.
    var hint: String?
    /// Whether there is nothing, in place of something that can't be read.
    var isAbsent = true
  }

  /// Returns the part of a location that a response doesn't have; `nil` if it has the location.
  ///
  /// - Parameter root: The body of the response, if it is JSON.
  static func missing(
    _ location: ResponseLocation, in root: JSONView?, _ response: HTTPResponse?
  ) -> Missing? {
    func missing(_ path: JSONPath, in root: JSONView?) -> Missing? {
      guard root?[path] == nil else { return nil }
      return Missing(
        name: OptionSyntax.text(location), hint: root.flatMap { hint(for: path, in: $0) })
    }
    switch location {
    case .body(let path), .relation(_, let path): return missing(path, in: root)
    case .header(let name):
      return response?.headers[name] == nil ? Missing(name: "header \(name)") : nil
    case .headerJSON(let name, let path):
      guard let text = response?.headers[name] else { return Missing(name: "header \(name)") }
      guard let root = try? JSONDocument(text).root else {
        return Missing(
          name: "JSON in the header \(name)", hint: "it is “\(text.prefix(60))”", isAbsent: false)
      }
      return missing(path, in: root)
    }
  }

  /// Returns a hint at similar names for a path that finds nothing.
  static func hint(for path: JSONPath, in view: JSONView) -> String? { view.nearNames(for: path) }

  /// Returns the locations in a response that options name, and the options.
  static func locations(
    _ options: CrawlOptions
  ) -> [(option: String, location: ResponseLocation)] {
    locations(options.list.paging) + (options.version.map { [("version-at", $0)] } ?? [])
  }

  private static func locations(_ paging: Paging) -> [(option: String, location: ResponseLocation)] {
    func ends(_ pages: CountedPages) -> [(option: String, location: ResponseLocation)] {
      pages.ends.compactMap { end in
        switch end {
        case .hasNext(let location), .isLast(let location): ("has-next", location)
        case .nextPage(let location): ("next-page", location)
        case .pageCount(let location): ("pages", location)
        case .lastPage(let location): ("last-page", location)
        case .total(let location): ("total", location)
        case .shortPage, .emptyPage, .page, .status, .repeatedCursor, .cursor: nil
        }
      }
    }
    switch paging.way {
    case .pageNumber(let way): return ends(way.pages)
    case .offset(let way): return ends(way.pages)
    case .keyset(let way): return ends(way.pages)
    case .cursor(let way): return [("cursor", way.next)] + ends(way.pages)
    case .nextURL(let way): return [("next", way.next)] + (way.total.map { [("total", $0)] } ?? [])
    case .link(let way): return way.total.map { [("total", $0)] } ?? []
    case .range, .relay, .custom, .single, .automatic: return []
    }
  }
}
