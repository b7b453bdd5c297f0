internal import Quire

/// Error messages and explanations of a crawl, in terms of its options.
enum CrawlDiagnostics {
  /// A page that failed to load.
  struct FailedPage {
    /// The number of the page, from 1.
    var number: Int
    /// Whether it is the first page, so that a path which finds nothing was never right.
    var isFirst: Bool
    /// The last response, which the error may be about.
    var response: HTTPResponse?

    /// The number and address of the page.
    fileprivate var name: String {
      "page \(number)" + (response.map { " (\(Redaction().url($0.url)))" } ?? "")
    }
  }

  /// Returns how a crawl exits after a page failed to load.
  ///
  /// The status blames the arguments only for what the user wrote: an address, a path that finds nothing.
  static func end(
    of error: LoadError, _ page: FailedPage, _ options: CrawlOptions
  ) -> EarlyExit {
    switch error {
    case .request(let failure):
      if case .invalidRequest = failure.kind { return EarlyExit(.usage, "\(failure)") }
      return EarlyExit(.failed, message(for: failure, page, options))
    case .mapping(.invalidJSON(let fault)):
      return EarlyExit(.failed, "can't read \(page.name): \(notJSON(fault, page.response))")
    case .mapping(let error):
      let isMistake = page.isFirst && options.list.items != nil
      return EarlyExit(isMistake ? .usage : .failed, noRows(page, text(error)))
    case .paging(.listNotFound(let reason, _)):
      return EarlyExit(.failed, noRows(page, "can't find the list: \(reason)"))
    case .paging(let error):
      if case .wrongCall = error { return EarlyExit(.usage, "\(error)") }
      if case .custom(let reason) = error, options.merging != nil {
        return EarlyExit(.failed, "can't read \(page.name): \(reason) with --id PATH")
      }
      return EarlyExit(.failed, "can't read \(page.name): \(error)")
    case .decoding(let reason), .custom(let reason): return EarlyExit(.failed, reason)
    }
  }

  /// Returns why a response has no rows, with the path as in an option.
  private static func text(_ error: MappingError) -> String {
    guard case .notFound(let path, let found, let hint) = error else { return "\(error)" }
    let place = found.hasPrefix("$ ") ? "the response" + found.dropFirst() : found
    return "no rows at “\(OptionSyntax.text(path))”: \(place)" + (hint.map { "; \($0)" } ?? "")
  }

  /// Returns why a page has no rows, and what its response has.
  private static func noRows(_ page: FailedPage, _ reason: String) -> String {
    var text = "can't read \(page.name): \(reason)\n\(arrays(in: page.response))"
    if let body = page.response?.body, body.count < 400, let excerpt = excerpt(of: body) {
      text += "\nThe server responded: \(excerpt)"
    }
    return text
  }

  /// Returns what failed, the cause, a hint that names options in place of the library's settings, and the response
  /// body.
  private static func message(
    for failure: RequestError, _ page: FailedPage, _ options: CrawlOptions
  ) -> String {
    var failure = failure
    var (fact, hint) = failure.explanation
    switch Self.hint(for: failure, options) {
    case .options(let text): hint = text
    case .library: break
    }
    let request = failure.request.isEmpty ? "" : " (\(failure.request))"
    failure.request = ""
    let text = "can't load page \(page.number)\(request): " + failure.text(fact, hint: hint)
    return excerpt(of: failure.responseBody).map { "\(text)\nThe server responded: \($0)" } ?? text
  }

  /// What to do after a failure.
  private enum Hint {
    /// These options.
    case options(String)
    /// The hint of the library.
    case library
  }

  private static func hint(for failure: RequestError, _ options: CrawlOptions) -> Hint {
    let later = options.resumeFile == nil ? "use --resume to continue later" : "continue later"
    if failure.retryBudget != nil {
      return .options("raise --retry-rate or --timeout, or \(later)")
    }
    if failure.isWaitTooLong {
      return .options("use --wait SECONDS to wait that long, or \(later)")
    }
    return switch failure.kind {
    case .status(407), .proxy: .options(proxy)
    case .status(401), .status(403):
      .options("sign in with --token-env NAME or --header @FILE")
    case .status(429): .options("send fewer requests with --rate, raise --retries, or \(later)")
    case .status(500...): .options("check the server, or \(later)")
    case .status: .options("check the address and its parameters")
    case .timeout: .options("check the load of the server, or raise --timeout")
    case .tooLarge(.wireBytes, _), .tooLarge(.decodedBytes, _), .tooLarge(.memory, _):
      .options("raise --max-memory, or request smaller pages, as in --size 100")
    case .tooLarge(.decompressionRatio, _): .options("check the server")
    case .tooLarge(.headerBytes, _), .tooLarge(.headerCount, _):
      .options("check the server and any gateway in front of it")
    case .redirect(.tooMany), .redirect(.downgrade), .redirect(.crossOriginBody):
      .options("check the address, or use the one that it leads to")
    case .tls(.untrusted): .options("check the certificate chain and --cacert")
    case .tls(.clientCertificate): .options("check --cert and --key")
    case .redirect(.crossOrigin):
      .options("use --allow-other-origin if the list may continue there")
    case .authentication: .options("check --token-command")
    case .notStored: .options("check --cache, or load the page once without --offline")
    default: .library
    }
  }

  private static let proxy =
    "check --proxy, or http_proxy, https_proxy and all_proxy in the environment"

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
    case .emptyPages: "\(error.explanation.cause); check the paging, or raise --max-empty"
    case .otherOrigin where !error.stepsDown:
      "\(error.explanation.cause); use --allow-other-origin to follow it"
    default: "\(error)"
    }
  }

  /// Returns the text that `--explain` prints.
  static func explanation(
    _ walk: PageWalk, _ page: PageWalk.Page, _ options: CrawlOptions, _ consistency: Consistency
  ) -> String {
    let paging = walk.recognized?.paging ?? options.list.paging
    return ListExplanation(
      itemsPath: page.itemsPath, isItemsGiven: options.list.items != nil, idPath: walk.idPath,
      declared: options.list.paging, recognized: walk.recognized, end: walk.end,
      consistency: walk.end == nil ? nil : consistency,
      firstSeam: paging.seam(
        before: page.facts.next, rows: page.rows.count + page.duplicates),
      sight: sight(paging, page, walk, options), trials: walk.trials, endMember: walk.endMember
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
