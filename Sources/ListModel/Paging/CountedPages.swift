internal import ItemMapping
internal import ServerAPI

/// What ways of paging that count pages or rows have in common: how many rows they ask for, and what
/// the answers show of how many the server really sends.
package struct CountedPages: Hashable, Sendable {
  /// How many rows a page is asked to have; `nil` leaves it to the server.
  package var size: Int?
  /// How many rows the first load of a list asks for, where that is another number.
  var firstSize: Int?
  /// Where the size goes, if anywhere.
  package var sizeParameter: RequestLocation?
  /// What tells the last page.
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

  func putSize(of key: PageKey, in call: inout Call) throws(PagingError) {
    guard let asked = asked(by: key) else { return }
    try sizeParameter?.put(.int(asked), in: &call)
  }

  /// How many rows a full page has turned out to have once this answer is known.
  ///
  /// A first page with fewer rows than it was asked for is either all there is or what a server sends
  /// that has its own idea of a page; taking it for a full one is right in both cases. A later page
  /// shows it only when it is full.
  func full(after answer: PageResponse, isFirst: Bool) -> Int? {
    let (key, count) = (answer.key, answer.count)
    guard count > 0 else { return key.full }
    guard let size else { return max(key.full ?? 0, count) }
    let asked = key.size ?? size
    if asked == size {
      if let full = key.full { return max(full, count) }
      return isFirst || count >= size ? count : nil
    }
    guard isFirst else { return key.full }
    return count == asked ? size : count > asked ? count : min(count, size)
  }

  func isEnd(_ status: Int) -> Bool { ends.contains(.status(status)) }
}

extension PagingError {
  /// A key of another way of paging.
  static func foreignKey(_ key: PageKey, expected: String) -> PagingError {
    .wrongCall("the key of the page", expected: "\(expected), found \(key.place)")
  }
}

extension Int {
  /// The sum, or the largest number where it would be above.
  func plus(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest number there is.
  func minus(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }

  /// The product of two numbers that are not negative, or the largest number.
  func times(_ other: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? .max : product
  }
}
