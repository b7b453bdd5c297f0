/// The names servers use for the facts of a page, the most certain first.
enum FactNames {
  /// Members that hold facts, with their own members that do.
  static let places: [(String, [String])] = [
    ("meta", ["pagination", "page", "paging", "cursor", "links", "cursors"]),
    ("pagination", ["links", "cursors", "next", "cursor"]), ("paging", ["cursors", "next"]),
    ("page", []), ("pageInfo", []), ("page_info", []), ("paginator", []), ("info", []),
    ("links", []), ("_links", []), ("response_metadata", []), ("responseMetadata", []),
    ("metadata", ["pagination", "page"]), ("_meta", ["pagination"]), ("_metadata", []),
    ("cursor", []), ("cursors", []), ("hits", []), ("pager", []), ("result_info", ["cursors"]),
  ]

  /// The total number of rows.
  static let total = [
    "total", "total_count", "totalCount", "total_results", "totalResults", "totalElements",
    "total_elements", "total_items", "totalItems", "total_entries", "totalEntries",
    "total_records", "totalRecords", "recordsTotal", "nbHits", "numFound", "TotalCount",
    "@odata.count", "odata.count",
  ]
  static let totalHeaders = [
    "X-Total-Count", "X-Total", "X-WP-Total", "X-Pagination-Total-Count", "Total-Count",
    "X-Count",
  ]

  /// Whether there is more.
  static let hasMore = [
    "has_more", "hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage", "has_more_items",
    "hasMoreItems", "has_more_pages", "hasMorePages", "hasMoreResults", "more",
    "more_items_in_collection", "IsTruncated", "isTruncated", "is_truncated", "HasMore",
  ]

  /// Whether this is the last page.
  static let isLast = [
    "last", "isLast", "is_last", "isLastPage", "is_last_page", "last_page", "is_end", "isEnd",
  ]

  /// The address of the next page.
  static let nextURL = [
    "@odata.nextLink", "odata.nextLink", "__next", "next_page_url", "nextPageUrl", "next_url",
    "nextUrl", "nextLink", "next_link", "next_href", "nextPageLink", "nextPageURL", "next",
    "next_page", "nextPage",
  ]

  /// Signs that there is a page before this one.
  static let previous = [
    "previous", "prev", "prev_page_url", "previous_page", "prev_page", "hasPreviousPage",
    "has_previous", "hasPrevious", "has_prev", "hasPrev",
  ]

  /// The number of this page.
  static let page = [
    "current_page", "currentPage", "page", "number", "page_number", "pageNumber", "pageNo",
    "page_no", "pageNum", "page_num", "pageIndex", "page_index",
  ]

  /// The number of the next page.
  static let nextPage = ["next_page", "nextPage", "next_page_number", "nextPageNumber", "next"]

  /// The total number of pages.
  static let pageCount = [
    "total_pages", "totalPages", "pageCount", "page_count", "nbPages", "num_pages", "numPages",
    "pages", "total_page", "totalPage", "pagesCount",
  ]

  /// The number of the last page.
  static let lastPage = ["last_page", "lastPage", "last_page_number", "lastPageNumber"]

  /// The number of rows per page.
  static let size = [
    "per_page", "perPage", "limit", "size", "page_size", "pageSize", "hitsPerPage",
    "items_per_page", "itemsPerPage", "maxResults", "max_results", "rows",
  ]

  /// The number of rows before this page.
  static let offset = [
    "offset", "skip", "startAt", "start_at", "startIndex", "start_index", "start", "from",
  ]
}

/// The names servers use for the parameters that request a page.
enum ParameterNames {
  static let pages = [
    "page", "p", "page[number]", "pagination[page]", "pageNumber", "page_number", "pageNo",
    "page_no", "pageNum", "page_num", "pageIndex", "page_index", "currentPage", "current_page",
    "pg", "paged",
  ]
  static let offsets = [
    "offset", "skip", "start", "startAt", "start_at", "startIndex", "start_index", "from",
    "$skip", "page[offset]", "_offset",
  ]
  static let cursors = [
    "cursor", "after", "starting_after", "start_cursor", "page_token", "pageToken", "next_cursor",
    "nextCursor", "next_token", "nextToken", "pagination_token", "continuation",
    "continuationToken", "page[after]", "page[cursor]", "$skiptoken",
  ]
  static let sizes = [
    "limit", "per_page", "perPage", "page_size", "pageSize", "size", "rows", "count", "maxResults",
    "max_results", "page[size]", "page[limit]", "pagination[pageSize]", "hitsPerPage", "$top",
    "first", "take", "n",
  ]
}
