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
      return CrawlEnd(.failed, "\(failure)" + words(of: failure))
    case .mapping(.broken(let fault)):
      return CrawlEnd(.failed, notJSON(fault, response))
    case .mapping(let error):
      let text = "\(error)\n\(arrays(in: response))"
      return CrawlEnd(isFirst ? .usage : .failed, text)
    case .paging(.notRecognised(let seen, _)):
      let text = "no list was found: \(seen)\n\(arrays(in: response))"
      return CrawlEnd(isFirst ? .usage : .failed, text)
    case .paging(let error): return CrawlEnd(isFirst ? .usage : .failed, "\(error)")
    case .decoding(let reason): return CrawlEnd(.failed, reason)
    }
  }

  /// What the server said to an error, on one line.
  private static func words(of failure: RequestError) -> String {
    guard let body = failure.responseBody else { return "" }
    let text = body.withUnsafeBytes { String(decoding: $0.prefix(200), as: UTF8.self) }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? "" : "\nThe server said: \(line)"
  }

  private static func notJSON(_ fault: JSONError, _ response: HTTPResponse?) -> String {
    guard let response else { return "the answer is not JSON: \(fault)" }
    let type = response.mediaType.map(\.essence) ?? "of no named type"
    let isPage = response.body.withUnsafeBytes { bytes in
      bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
    }
    let hint = isPage ? "; a web page came, so look at the address and whether to sign in" : ""
    return "the answer from \(Redaction().url(response.url)) is not JSON (\(type))\(hint): \(fault)"
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
    case .notRecognised(let seen, _):
      "it is not known how to go on: \(seen). Say how pages are asked for, as with --paging page,"
        + " --paging offset or --cursor PATH, or use --paging none if this is the whole list."
    case .otherOrigin(let address, let expected):
      "the next page is said to be at \(address), which is not \(expected); use --paging link or"
        + " --next PATH with --allow-other-origin if it is meant to be"
    default: "the list ended before its end: \(error)"
    }
  }

  /// What may help where a path leads nowhere.
  static func hint(for path: JSONPath, in view: JSONView) -> String? { view.nearNames(for: path) }

  /// The places in an answer that a paging reads, and their options.
  static func places(_ paging: Paging) -> [(option: String, place: AnswerPlace)] {
    func ends(_ counted: PagingShape.Counted) -> [(option: String, place: AnswerPlace)] {
      counted.ends.compactMap { end in
        switch end {
        case .hasNext(let place): ("has-next", place)
        case .nextPage(let place): ("next-page", place)
        case .pageCount(let place): ("pages", place)
        case .lastPage(let place): ("last-page", place)
        case .total(let place): ("total", place)
        default: nil
        }
      }
    }
    switch paging.shape {
    case .page(_, _, let counted), .offset(_, _, let counted), .keyset(_, _, let counted):
      return ends(counted)
    case .cursor(let place, _, let counted): return [("cursor", place)] + ends(counted)
    case .next(let place, let links):
      return [("next", place)] + (links.total.map { [("total", $0)] } ?? [])
    case .link(let links): return links.total.map { [("total", $0)] } ?? []
    default: return []
    }
  }

  /// What `--explain` prints.
  static func explanation(_ walk: PageWalk, _ page: WalkedPage, _ options: CrawlOptions) -> String {
    var lines: [String] = []
    let id = walk.idPath.map { Words.text($0) }
    let items = Words.text(page.itemsPath)
    lines.append("rows:   \(items)" + (options.list.items == nil ? ", found" : ", as told"))
    lines.append(
      "id:     \(id.map { $0 == "$" ? "the row itself" : $0 } ?? "none, rows that come again are kept")"
    )
    let paging = walk.recognised?.paging ?? options.list.paging
    if let recognised = walk.recognised {
      lines.append("paging: \(paging)")
      lines.append("why:    \(recognised.reason)")
    } else if options.list.paging == .automatic {
      lines.append("paging: one page, the answer leads to no other")
    } else {
      lines.append("paging: \(paging), as told")
    }
    var words = ["--items", items, "--id", id ?? "none"]
    let known = options.list.paging == .automatic && walk.recognised == nil ? Paging.single : paging
    guard let more = known.options else {
      lines.append("It can't be written as options.")
      return lines.joined(separator: "\n")
    }
    words += more
    lines.append("same:   \(words.map(Words.quoted).joined(separator: " "))")
    return lines.joined(separator: "\n")
  }
}
