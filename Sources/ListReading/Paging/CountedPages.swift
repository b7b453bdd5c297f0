internal import ItemMapping
internal import ServerAPI

/// The part that ways of paging with counted pages or rows share: how many rows to request, and how
/// many the server actually sends.
package struct CountedPages: Hashable, Sendable {
  /// The number of rows to request per page; `nil` lets the server choose.
  package var size: Int?
  /// The number of rows that the first load of a list requests, where it differs.
  var firstSize: Int?
  /// Where the size goes, if anywhere.
  package var sizeParameter: RequestLocation?
  /// The rules that decide which page is the last.
  package var ends: [EndRule]

  init(size: Int?, firstSize: Int?, sizeParameter: RequestLocation?, ends: [EndRule]) {
    for number in [size, firstSize].compactMap({ $0 }) {
      precondition(number > 0, "a page should have at least 1 row, found \(number)")
    }
    self.size = size
    self.firstSize = firstSize == size ? nil : firstSize
    self.sizeParameter = sizeParameter
    self.ends = ends
  }

  func asked(by key: PageKey) -> Int? { key.size ?? size }

  /// Returns the number of rows below which a page is short. An overlap with more rows than a page is short if it has
  /// fewer than a page, unless it is known that all of them come.
  func least(in key: PageKey, isFirst: Bool) -> Int? {
    guard !isFirst, let size, let asked = key.size, asked > size, key.fullSize != asked else {
      return asked(by: key)
    }
    return size
  }

  func putSize(of key: PageKey, in call: inout Call) throws(PagingError) {
    guard let asked = asked(by: key) else { return }
    try sizeParameter?.put(.int(asked), in: &call)
  }

  /// Returns the number of rows of a full page, as far as the responses up to this one show it.
  ///
  /// A first page with fewer rows than requested is either the whole list, or a full page of a server that
  /// chooses its own page size; treating it as a full one is right in both cases. A later page
  /// counts only when it is full.
  func full(after page: PageResponse, isFirst: Bool) -> FullSize? {
    let (known, count) = (page.key.full, page.count)
    guard count > 0 else { return known }
    guard let size else { return known?.after(count, asked: nil) ?? FullSize(rows: count) }
    let asked = page.key.size ?? size
    if asked == size {
      if let known { return known.after(count, asked: size) }
      guard isFirst || count >= size else { return nil }
      return FullSize(rows: count, grounds: count >= size ? .confirmed : .assumed)
    }
    guard isFirst else {
      // An overlap with the rows of a usual page, or with all that were requested, was full.
      guard let known else { return nil }
      let isFull = count == known.rows || count >= asked
      return known.after(isFull ? known.rows : count, asked: asked)
    }
    let rows = count == asked ? size : count > asked ? count : min(count, size)
    return FullSize(rows: rows, grounds: count == asked ? .confirmed : .assumed)
  }

  func isEnd(_ status: Int) -> Bool { ends.contains(.status(status)) }

  /// Whether a response with this error status for a page after others means that there is no such page, also
  /// where that is not declared: many servers refuse a page after their last full one. Where the page before
  /// said that there is a next one, it is a failure.
  func isEnd(_ status: Int, forLaterPage key: PageKey) -> Bool {
    if isEnd(status) { return true }
    guard key.fullSize != nil, PageKey.refusals.contains(status) else { return false }
    return ends.allSatisfy { rule in
      switch rule {
      case .shortPage, .emptyPage, .total, .status, .repeatedCursor, .cursor: true
      case .pageCount, .lastPage, .hasNext, .isLast, .nextPage, .page: false
      }
    }
  }
}

extension PagingError {
  /// The error for a key that belongs to another way of paging.
  static func foreignKey(_ key: PageKey, expected: String) -> PagingError {
    .wrongCall("this paging needs \(expected), found \(key.place)")
  }
}

extension Int {
  /// The sum, clamped to the range of `Int`.
  func plus(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, clamped to the range of `Int`.
  package func minus(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }

  /// The product of two non-negative numbers, clamped to the largest `Int`.
  func times(_ other: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? .max : product
  }
}
