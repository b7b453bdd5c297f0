/// The names servers use for the facts of a page, as words: `total count` is also `totalCount` and `Total-Count`.
enum FactNames {
  /// Words in the names of objects that hold facts.
  static let places: Set<String> = [
    "meta", "metadata", "pagination", "paging", "page", "pages", "info", "links", "link", "cursor",
    "cursors", "next", "data", "result", "results", "response", "hits", "status", "fields", "query",
    "queries", "request", "search",
  ]

  /// Words in the names of other objects that count the rows.
  static let countPlaces: Set<String> = [
    "total", "totals", "count", "counts", "summary", "stats", "statistics", "list", "listing",
    "collection", "items", "records", "rows", "range", "window", "set", "resultset", "feed",
    "envelope", "header", "headers", "control", "controls", "facts", "paginator", "pager", "nav",
    "navigation", "size", "sizes", "extra", "context", "attr", "attributes", "properties",
  ]

  /// The total number of rows, where the name has no `total`.
  static let total = [
    "num found", "num results", "number matched", "hits", "found",
  ]
  /// Names of a number of rows that may be that of the page, unless it is larger: Algolia, Pagerfanta, Comic Vine, ArangoDB,
  /// USAJobs, SRU, DataTables.
  static let count: Set<String> = [
    "nb hits", "nb results", "number of total results", "full count", "search result count all",
    "number of records", "number of results", "i total display records", "num items",
  ]
  /// The same in headers.
  static let countHeaders: Set<String> = [
    "x hits", "x result count", "x results count", "x item count", "x items count",
    "x record count", "x records count", "record count", "pagination count", "odata count",
    "o data count",
  ]
  /// Words in the names of headers whose JSON is about pages: ASP.NET.
  static let headers: Set<String> = ["pagination", "paging", "page", "pages", "pager", "paged"]
  /// The number of rows after this page.
  static let remaining: Set<String> = [
    "remaining item count", "remaining items", "remaining count", "remaining results",
    "remaining rows", "remaining records", "items remaining", "results remaining",
    "rows remaining", "records remaining",
  ]
  /// Words after which a number with `total` counts rows.
  static let counted: Set<String> = [
    "total", "count", "number", "num", "size", "result", "results", "item", "items", "elements",
    "entries", "record", "records", "row", "rows", "hit", "hits", "object", "objects", "docs",
    "documents", "features", "cards", "found", "matched", "estimate", "estimated", "odata", "hydra",
    "opensearch",
  ]
  /// Further words, which say so only beside `total`.
  static let countedBesideTotal: Set<String> = [
    "available", "matches", "matching", "grand", "overall", "all", "of", "n",
  ]
  /// Names of numbers that show that there are more rows and never that all came, as they may count something else:
  /// Linode, jqGrid, json-server.
  static let looseCounts: Set<String> = [
    "results", "records", "items", "all count", "document count",
  ]
  /// Words of numbers that count something else.
  static let otherCounts: Set<String> = [
    "page", "pages", "per", "primary", "time", "ms", "took", "limit", "shards", "remaining",
    "successful",
  ]

  /// Whether there is more, and whether this is the last page; see ``NameWords/ideas``.
  static let hasMore = ["has more"]
  static let isLast = ["is last"]

  /// The number of this page.
  static let page = ["current page", "page", "number", "page number", "current"]

  /// The number of the next page, of all pages, and of the last one; see ``NameWords/ideas``.
  static let nextPage = ["next page", "next"]
  static let pageCount = ["total pages"]
  static let lastPage = ["last page"]

  /// The words of a name for the number of a page.
  static let pageNumberWords: Set<String> = [
    "next", "last", "page", "number", "num", "no", "nr", "index", "visible", "of",
  ]

  /// The number of rows per page.
  static let size = [
    "per page", "limit", "size", "page size", "hits per page", "items per page", "max results",
    "rows", "perpage",
  ]

  /// The number of rows before this page.
  static let offset = ["offset", "skip", "start at", "start index", "start", "from"]

  /// Names of places with previous pages, in the words that replace `next`.
  static let previous = ["previous", "prev"]
}

/// The names servers use for the parameters that request a page.
enum ParameterNames {
  static let pages = [
    "page", "p", "page[number]", "pagination[page]", "pageNumber", "page_number", "pageNo",
    "page_no", "pageNum", "page_num", "pageIndex", "page_index", "currentPage", "current_page",
    "_page",
  ]
  static let offsets = [
    "offset", "skip", "start", "startAt", "start_at", "startIndex", "start_index", "from",
    "$skip", "page[offset]", "_offset", "$offset", "_start",
  ]
  static let cursors = [
    "cursor", "after", "starting_after", "start_cursor", "page_token", "pageToken", "next_cursor",
    "nextCursor", "next_token", "nextToken", "pagination_token", "continuation",
    "continuationToken", "page[after]", "page[cursor]", "$skiptoken",
  ]
  static let sizes = [
    "limit", "per_page", "perPage", "page_size", "pageSize", "size", "rows", "count", "maxResults",
    "max_results", "page[size]", "page[limit]", "pagination[pageSize]", "hitsPerPage", "$top",
    "first", "take", "n", "$limit", "_limit", "_per_page",
  ]

  static func spells(_ names: [String]) -> Set<NameWords> { Set(names.map { NameWords($0) }) }

  static let pageWords = spells(pages)
  static let offsetWords = spells(offsets)
  static let cursorWords = spells(cursors)
  static let sizeWords = spells(sizes + ["pagesize", "perpage", "itemsPerPage", "max", "hits"])
}

extension NameWords {
  /// What a name may say, in the words of ``FactNames``: its own words, and the idea that they are a form of.
  var ideas: [String] {
    var ideas = [text]
    switch flag() {
    case .more?: ideas.append(contentsOf: FactNames.hasMore)
    case .last?: ideas.append(contentsOf: FactNames.isLast)
    case nil: break
    }
    if has("page"), Set(words).isSubset(of: FactNames.pageNumberWords) {
      if words.first == "next" { ideas.append("next page") }
      if words.first == "last" { ideas.append("last page") }
    }
    if words.count == 2, words[0] == "page", ["no", "num", "index"].contains(words[1]) {
      ideas.append("page number")
    }
    let counts: Set<String> = ["total", "page", "pages", "count", "nb", "num"]
    if words.allSatisfy(counts.contains), has("pages") || has("page") && words.count > 1,
      words != ["page", "num"]
    {
      ideas.append("total pages")
    }
    return Set(ideas).sorted()
  }
}
