internal import Quire

/// Error messages and explanations of a crawl, in terms of its options.
enum CrawlDiagnostics {
  /// Returns how a crawl exits after a page failed to load.
  static func end(
    of error: LoadError, _ response: HTTPResponse?, isFirst: Bool, _ options: CrawlOptions
  ) -> EarlyExit {
    switch error {
    case .request(let failure):
      if case .invalidRequest = failure.kind { return EarlyExit(.usage, "\(failure)") }
      return EarlyExit(.failed, message(for: failure, response, options))
    case .mapping(.invalidJSON(let fault)):
      return EarlyExit(.failed, notJSON(fault, response))
    case .mapping(let error):
      var text = "\(error)\n\(arrays(in: response))"
      if let body = response?.body, body.count < 400, let excerpt = excerpt(of: body) {
        text += "\nThe server responded: \(excerpt)"
      }
      return EarlyExit(isFirst ? .usage : .failed, text)
    case .paging(.listNotFound(let reason, _)):
      let text = "can't find the list: \(reason)\n\(arrays(in: response))"
      return EarlyExit(isFirst ? .usage : .failed, text)
    case .paging(let error): return EarlyExit(isFirst ? .usage : .failed, "\(error)")
    case .decoding(let reason), .custom(let reason): return EarlyExit(.failed, reason)
    }
  }

  /// Returns the fact, a hint that names options in place of the library's settings, and the response body.
  private static func message(
    for failure: RequestError, _ response: HTTPResponse?, _ options: CrawlOptions
  ) -> String {
    var (fact, hint) = failure.kind.explanation
    var body = failure.responseBody
    if case .retryRequested(_, let reason) = failure.kind {
      (fact, body) = (reason, response?.body)
    }
    switch Self.hint(for: failure.kind, response, options) {
    case .options(let text): hint = text
    case .none: hint = nil
    case .library: break
    }
    let text = failure.text(fact, hint: hint)
    return excerpt(of: body).map { "\(text)\nThe server responded: \($0)" } ?? text
  }

  /// What to do after a failure.
  private enum Hint {
    /// These options.
    case options(String)
    /// No hint.
    case none
    /// The hint of the library.
    case library
  }

  private static func hint(
    for kind: RequestError.Kind, _ response: HTTPResponse?, _ options: CrawlOptions
  ) -> Hint {
    switch kind {
    case .status(407), .proxy: .options(proxy)
    case .status(401), .status(403):
      .options("sign in, as in --header 'Authorization: Bearer TOKEN'")
    case .status(429), .status(503), .retryRequested: .options(waitHint(response, options))
    case .status: .none
    case .timeout: .options("check the load of the server, or raise --timeout")
    case .tooLarge(.wireBytes, _), .tooLarge(.decodedBytes, _):
      .options("request smaller pages, as in --size 100")
    case .tls(.untrusted): .options("check the certificate chain and --cacert")
    case .tls(.clientCertificate): .options("check --cert and --key")
    case .redirect(.crossOrigin):
      .options("use --allow-other-origin if the list may continue there")
    case .notStored: .options("check --cache, or load the page once without --offline")
    default: .library
    }
  }

  private static let proxy =
    "check --proxy, or http_proxy, https_proxy and all_proxy in the environment"

  private static func waitHint(_ response: HTTPResponse?, _ options: CrawlOptions) -> String {
    guard let wait = response?.headers["Retry-After"] else { return "check --rate and --retries" }
    let text = Int(wait).map { "for \($0) s" } ?? "until \(wait)"
    return "raise --timeout, as the server asks to wait \(text), or use --resume to continue later"
  }

  /// Returns the start of a response body on one line, with secrets masked.
  private static func excerpt(of body: ResponseBody?) -> String? {
    guard let body else { return nil }
    // The body can repeat parts of the request.
    let text = body.withUnsafeBytes { Redaction().body($0, contentType: nil, limit: 200) }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : line
  }

  private static func notJSON(_ fault: JSONError, _ response: HTTPResponse?) -> String {
    guard let response else { return "the response is not JSON: \(fault)" }
    let type = response.mediaType.map(\.essence) ?? "no content type"
    let isPage = response.body.withUnsafeBytes { bytes in
      bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
    }
    let cause =
      isPage
      ? "it is a web page; check the address, or sign in with --header"
      : isLines(response)
        ? "it has one value per line and no pages, so each line is already a row"
        : "\(fault)"
    return "the response from \(Redaction().url(response.url)) is not JSON (\(type)): \(cause)"
  }

  /// Whether the first line is a JSON value and another line follows.
  private static func isLines(_ response: HTTPResponse) -> Bool {
    response.body.withUnsafeBytes { bytes in
      let lines = bytes.prefix(1 << 16).split(separator: 0x0A, maxSplits: 2)
      guard lines.count > 1 else { return false }
      return lines.prefix(2).allSatisfy { line in
        [0x7B, 0x5B].contains(line.first) && (try? JSONDocument(Array(line))) != nil
      }
    }
  }

  /// Returns a list of the arrays in a response, each as an option.
  static func arrays(in response: HTTPResponse?) -> String {
    guard let response,
      let document = response.body.withUnsafeBytes({ try? JSONDocument(Array($0)) })
    else { return "" }
    var found: [(path: JSONPath, count: Int)] = []
    collect(document.root, JSONPath.root, 0, &found)
    guard !found.isEmpty else {
      return "Check that the address is that of a list."
    }
    let lines = found.sorted { $0.count > $1.count }.prefix(8).map { array in
      let path = OptionSyntax.shellQuoted(OptionSyntax.text(array.path))
      return "  --items \(path)   (\(array.count) \(array.count == 1 ? "element" : "elements"))"
    }
    return "The response has these arrays:\n" + lines.joined(separator: "\n")
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

  /// Returns how sure it is that a list that was read to its end has all rows.
  static func complete(_ consistency: Consistency) -> String {
    consistency.claim == .unproven
      ? "complete as far as can be told: \(consistency)" : "complete: \(consistency)"
  }

  /// Returns why the walk stopped before the end of the list.
  static func incomplete(_ error: PagingError, _ walk: PageWalk) -> String {
    switch error {
    case .notRecognized(let seen, _):
      "can't tell how this server pages: \(seen); name the paging, as in --paging page,"
        + " --paging offset or --cursor PATH, or use --paging none if this is the whole list"
    case .otherOrigin where !error.stepsDown:
      "\(error.explanation.cause); use --allow-other-origin to follow it"
    default: "\(error)"
    }
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
  static func missing(
    _ location: ResponseLocation, _ row: JSONView, _ response: HTTPResponse?
  ) -> Missing? {
    func missing(_ path: JSONPath, in root: JSONView) -> Missing? {
      guard root[path] == nil else { return nil }
      return Missing(name: OptionSyntax.text(location), hint: hint(for: path, in: root))
    }
    switch location {
    case .body(let path), .relation(_, let path): return missing(path, in: row.document.root)
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

  /// Returns the locations in a response that a paging reads, and their options.
  static func locations(_ paging: Paging) -> [(option: String, location: ResponseLocation)] {
    func ends(_ pages: CountedPages) -> [(option: String, location: ResponseLocation)] {
      pages.ends.compactMap { end in
        switch end {
        case .hasNext(let location), .isLast(let location): ("has-next", location)
        case .nextPage(let location): ("next-page", location)
        case .pageCount(let location): ("pages", location)
        case .lastPage(let location): ("last-page", location)
        case .total(let location): ("total", location)
        case .shortPage, .emptyPage, .page, .status, .repeatedCursor: nil
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

  /// Returns the text that `--explain` prints.
  static func explanation(_ walk: PageWalk, _ page: PageWalk.Page, _ options: CrawlOptions)
    -> String
  {
    let paging = walk.recognized?.paging ?? options.list.paging
    return ListExplanation(
      itemsPath: page.itemsPath, isItemsGiven: options.list.items != nil, idPath: walk.idPath,
      declared: options.list.paging, recognized: walk.recognized, end: walk.end,
      consistency: walk.end == nil ? nil : walk.consistency.without(options.distrusted),
      firstSeam: paging.seam(
        before: page.facts.next, rows: page.rows.count + page.duplicates),
      sight: sight(paging, page, walk, options), trials: walk.trials
    ).lines.joined(separator: "\n")
  }

  /// Returns how seams are seen, where a page leads to another one.
  private static func sight(
    _ paging: Paging, _ page: PageWalk.Page, _ walk: PageWalk, _ options: CrawlOptions
  ) -> ListExplanation.Sight? {
    guard case .page = page.facts.next else { return nil }
    func overlaps(_ level: Consistency.Level) -> Bool {
      walk.idPath != nil && paging.overlaps(at: page.facts.next, checking: level)
    }
    if overlaps(options.consistency) { return .overlap }
    if options.consistency < .seams, overlaps(.seams) { return .notAsked }
    if options.consistency < .whole, overlaps(.whole) { return .overlapAt(.whole) }
    return ListExplanation.Sight.none
  }
}
