internal import Quire

/// What went wrong, in the words of the command line.
enum Diagnosis {
  /// How a crawl ends whose page could not be had.
  static func end(
    of error: LoadError, _ response: HTTPResponse?, isFirst: Bool, _ options: CrawlOptions
  ) -> CrawlEnd {
    switch error {
    case .request(let failure):
      if case .invalidRequest = failure.kind { return CrawlEnd(.usage, "\(failure)") }
      return CrawlEnd(.failed, words(of: failure, response, options))
    case .mapping(.broken(let fault)):
      return CrawlEnd(.failed, notJSON(fault, response))
    case .mapping(let error):
      var text = "\(error)\n\(arrays(in: response))"
      if let body = response?.body, body.count < 400, let said = said(body) {
        text += "\nThe server said: \(said)"
      }
      return CrawlEnd(isFirst ? .usage : .failed, text)
    case .paging(.notRecognized(let seen, _)):
      let text = "no list was found: \(seen)\n\(arrays(in: response))"
      return CrawlEnd(isFirst ? .usage : .failed, text)
    case .paging(let error): return CrawlEnd(isFirst ? .usage : .failed, "\(error)")
    case .decoding(let reason): return CrawlEnd(.failed, reason)
    }
  }

  /// What happened, with options to look at in place of the library's settings, and what the server said.
  private static func words(
    of failure: RequestError, _ response: HTTPResponse?, _ options: CrawlOptions
  ) -> String {
    var (fact, hint) = failure.kind.explanation
    var body = failure.responseBody
    if case .retryRequested(_, let reason) = failure.kind {
      (fact, body) = (reason, response?.body)
    }
    switch Self.hint(for: failure.kind, response, options) {
    case .options(let text): hint = text
    case .none: hint = nil
    case .ofTheLibrary: break
    }
    let text = failure.text(fact, hint: hint)
    return said(body).map { "\(text)\nThe server said: \($0)" } ?? text
  }

  /// What may help.
  private enum Hint {
    /// These options.
    case options(String)
    /// Nothing that is known here.
    case none
    /// What the library says.
    case ofTheLibrary
  }

  private static func hint(
    for kind: RequestError.Kind, _ response: HTTPResponse?, _ options: CrawlOptions
  ) -> Hint {
    switch kind {
    case .status(407), .proxy: .options(proxy)
    case .status(401), .status(403):
      .options("whether to sign in, as with --header 'Authorization: Bearer TOKEN'")
    case .status(429), .status(503), .retryRequested: .options(waiting(response, options))
    case .status: .none
    case .timeout: .options("the load of the server, and --timeout")
    case .tooLarge: .options("whether the server takes a --size for smaller pages")
    case .tls(.untrusted): .options("the certificate chain, and --cacert")
    case .tls(.clientCertificate): .options("--cert and --key")
    case .redirect(.crossOrigin): .options("--allow-other-origin, if the list may go on there")
    case .notStored: .options("whether it was asked before without --offline, and --cache")
    default: .ofTheLibrary
    }
  }

  private static let proxy = "--proxy, or http_proxy, https_proxy and all_proxy in the environment"

  private static func waiting(_ response: HTTPResponse?, _ options: CrawlOptions) -> String {
    guard let wait = response?.headers["Retry-After"] else { return "--rate, and --retries" }
    let text = Int(wait).map { "for \($0) s" } ?? "until \(wait)"
    return "--timeout, as the server asks to wait \(text), or --resume to go on later"
  }

  /// What the server said, on one line.
  private static func said(_ body: ResponseBody?) -> String? {
    guard let body else { return nil }
    // It may repeat what was sent.
    let text = body.withUnsafeBytes { Redaction().body($0, contentType: nil, limit: 200) }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : line
  }

  private static func notJSON(_ fault: JSONError, _ response: HTTPResponse?) -> String {
    guard let response else { return "the answer is not JSON: \(fault)" }
    let type = response.mediaType.map(\.essence) ?? "of no named type"
    let isPage = response.body.withUnsafeBytes { bytes in
      bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
    }
    let hint =
      isPage
      ? "; a web page came, so look at the address and whether to sign in"
      : isLines(response)
        ? "; it is a value a line, so there are no pages and every line is a row as it is" : ""
    return "the answer from \(Redaction().url(response.url)) is not JSON (\(type))\(hint): \(fault)"
  }

  /// Whether the first line is JSON by itself and another one follows.
  private static func isLines(_ response: HTTPResponse) -> Bool {
    response.body.withUnsafeBytes { bytes in
      let lines = bytes.prefix(1 << 16).split(separator: 0x0A, maxSplits: 2)
      guard lines.count > 1 else { return false }
      return lines.prefix(2).allSatisfy { line in
        [0x7B, 0x5B].contains(line.first) && (try? JSONDocument(Array(line))) != nil
      }
    }
  }

  /// The arrays of an answer, to choose from.
  static func arrays(in response: HTTPResponse?) -> String {
    guard let response,
      let document = response.body.withUnsafeBytes({ try? JSONDocument(Array($0)) })
    else { return "" }
    var found: [(path: JSONPath, count: Int)] = []
    collect(document.root, JSONPath.root, 0, &found)
    guard !found.isEmpty else {
      return "The answer has no array. Is it the address of a list?"
    }
    let lines = found.sorted { $0.count > $1.count }.prefix(8).map { array in
      "  --items \(Words.quoted(Words.text(array.path)))   (\(array.count) elements)"
    }
    return "The answer has these arrays:\n" + lines.joined(separator: "\n")
  }

  private static func collect(
    _ view: JSONView, _ path: JSONPath, _ depth: Int, _ found: inout [(path: JSONPath, count: Int)]
  ) {
    guard depth < 6, found.count < 100 else { return }
    switch view.kind {
    case .array: found.append((path, view.count))
    case .object:
      for member in view.members {
        collect(member.value, path.appending(.name(member.name)), depth + 1, &found)
      }
    default: break
    }
  }

  /// Why the list ended before its end.
  static func incomplete(_ error: PagingError, _ walk: PageWalk) -> String {
    switch error {
    case .notRecognized(let seen, _):
      "it is not known how to go on: \(seen). Say how pages are asked for, as with --paging page,"
        + " --paging offset or --cursor PATH, or use --paging none if this is the whole list."
    case .otherOrigin where !error.stepsDown:
      "\(error.explanation.cause); use --allow-other-origin if that is meant"
    case .otherOrigin: "\(error)"
    default: "the list ended before its end: \(error)"
    }
  }

  /// What an answer lacks that a place is to be read from, with what may have been meant.
  static func lack(
    of place: ResponseLocation, _ row: JSONView, _ response: HTTPResponse?
  ) -> (what: String, hint: String?)? {
    let root = row.document.root
    switch place {
    case .body(let path), .relation(_, let path):
      return root[path] == nil ? (Words.text(place), hint(for: path, in: root)) : nil
    case .header(let name):
      return response?.headers[name] == nil ? ("header \(name)", nil) : nil
    case .headerJSON(let name, let path):
      guard let text = response?.headers[name] else { return ("header \(name)", nil) }
      guard let root = try? JSONDocument(text).root else {
        return ("JSON in the header \(name)", "it is “\(text.prefix(60))”")
      }
      return root[path] == nil ? (Words.text(place), hint(for: path, in: root)) : nil
    }
  }

  /// What may help where a path leads nowhere.
  static func hint(for path: JSONPath, in view: JSONView) -> String? { view.nearNames(for: path) }

  /// The places in an answer that a paging reads, and their options.
  static func places(_ paging: Paging) -> [(option: String, place: ResponseLocation)] {
    func ends(_ pages: CountedPages) -> [(option: String, place: ResponseLocation)] {
      pages.ends.compactMap { end in
        switch end {
        case .hasNext(let place): ("has-next", place)
        case .nextPage(let place): ("next-page", place)
        case .pageCount(let place): ("pages", place)
        case .lastPage(let place): ("last-page", place)
        case .total(let place): ("total", place)
        case .shortPage, .emptyPage, .page, .status: nil
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

  /// What `--explain` prints.
  static func explanation(_ walk: PageWalk, _ page: PageWalk.Page, _ options: CrawlOptions)
    -> String
  {
    var lines: [String] = []
    let id = walk.idPath.map { Words.text($0) }
    let items = Words.text(page.itemsPath)
    lines.append("rows:   \(items)" + (options.list.items == nil ? ", found" : ", as told"))
    lines.append(
      "id:     \(id.map { $0 == "$" ? "the row itself" : $0 } ?? "none, rows that come again are kept")"
    )
    let paging = walk.recognized?.paging ?? options.list.paging
    if let recognized = walk.recognized {
      lines.append("paging: \(paging)")
      lines.append("why:    \(recognized.reason)")
    } else if options.list.paging == .automatic {
      if case .incomplete = walk.end {
        lines.append("paging: not found")
        return lines.joined(separator: "\n")
      }
      lines.append("paging: one page, the answer leads to no other")
    } else {
      lines.append("paging: \(paging), as told")
    }
    var words = ["--items", items, "--id", id ?? "none"]
    let known = options.list.paging == .automatic && walk.recognized == nil ? Paging.single : paging
    guard let more = known.options else {
      lines.append("It can't be written as options.")
      return lines.joined(separator: "\n")
    }
    words += more
    lines.append("same:   \(words.map(Words.quoted).joined(separator: " "))")
    return lines.joined(separator: "\n")
  }
}
