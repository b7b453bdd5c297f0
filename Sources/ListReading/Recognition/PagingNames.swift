internal import ItemMapping
internal import ServerAPI

/// Whether the names of members are those of cursors and links, by all of their words.
enum PagingNames {
  /// The words in names of cursors and links. A name with another word, such as `next_review_at`, is about something
  /// else.
  static let words: Set<String> = [
    "next", "more", "after", "forward", "continue", "continuation", "last", "evaluated",
    "exclusive",
    "start", "starting", "end", "page", "pages", "paging", "pagination", "paginated", "cursor",
    "cursors", "cursormark", "token", "tokens", "pagetoken", "marker", "mark", "key", "keys",
    "link",
    "links", "url", "urls", "uri", "href", "path", "address", "offset", "skip", "position", "batch",
    "result", "results", "item", "items", "row", "rows", "record", "records", "list", "set",
    "query",
    "request", "search", "scan", "scroll", "id", "number", "no", "num", "index", "from", "since",
    "state", "value", "string", "slice", "chunk", "collection", "data", "sequence", "odata",
    "hydra",
    "opensearch", "x", "amz", "ms",
  ]

  /// Whether all words of a name are known, or are the name of the rows.
  static func areKnown(_ name: NameWords, own: Set<String>) -> Bool {
    name.words.allSatisfy { words.contains($0) || own.contains(NameWords.singular($0)) }
      // A negated name says nothing of where the next page is; at the end of a name, `no` is a number.
      && name.words.first != "no"
  }
}

extension Evidence {
  /// The words that name the rows of the list, by the member with the rows and by the address: `topic` of `/topics`.
  static func ownWords(of page: PageResponse) -> Set<String> {
    var names: [String] = []
    if case .name(let name)? = page.itemsPath.segments.last { names.append(name) }
    if let file = page.response.url.path.split(separator: "/").last { names.append(String(file)) }
    return Set(names.flatMap { NameWords($0).words }.map(NameWords.singular))
  }

  /// Whether all words of a name are those of cursors and links, or name the rows.
  func isKnown(_ words: NameWords) -> Bool { PagingNames.areKnown(words, own: own) }

  func isWellKnown(_ path: JSONPath, as role: WellKnownNames.Role) -> Bool {
    WellKnownNames.contains(path, besides: page.itemsPath, as: role)
  }
}
