internal import ItemMapping
internal import ServerAPI

/// Links with the number of a page and its size, such as `?page=2&per_page=20`. With both, a page of another size can
/// be requested, as where the paging itself is by numbers.
struct NumberedLinks: Hashable, Sendable {
  private let number: String
  private let size: String
  private let paging: PageNumberPaging

  /// Reads the link of the first page to the second one; `nil` if it has no number and size.
  init?(toSecond key: PageKey) {
    guard case .url(let url) = key.place, !key.isForeign,
      let number = Self.parameter(ParameterNames.pages, in: url), 1...2 ~= number.value,
      let size = Self.parameter(ParameterNames.sizes, in: url), size.value > 0
    else { return nil }
    (self.number, self.size) = (number.name, size.name)
    paging = PageNumberPaging(
      pages: CountedPages(
        size: size.value, firstSize: nil, sizeParameter: .query(size.name), ends: []),
      start: number.value - 1, parameter: .query(number.name))
  }

  /// The size of the first page, as the link to the second one says.
  var usualSize: Int { paging.pages.size ?? 1 }

  /// Returns the overlap before a page; `nil` if its link doesn't say where it begins.
  ///
  /// - Parameters:
  ///   - key: The page.
  ///   - rows: The number of rows before it.
  ///   - reachesPage: Whether the overlap has to have rows of the page.
  ///   - pageSize: The most rows that a page has had.
  func overlap(
    before key: PageKey, rows: Int, reachesPage: Bool, pageSize: Int?
  ) -> PageOverlap? {
    guard case .url(let url) = key.place, !key.isForeign,
      let number = Self.parameter([number], in: url)?.value,
      let size = Self.parameter([size], in: url)?.value
    else { return nil }
    var page = PageKey(.number(number), size: size)
    page.full = pageSize.map { FullSize(rows: $0) }
    guard var overlap = paging.overlap(before: page, rows: rows, reachesPage: reachesPage),
      case .number(let earlier) = overlap.key.place, let ownSize = overlap.ownSize,
      let address = url.replacing([self.number: earlier, self.size: ownSize])
    else { return nil }
    overlap.key = PageKey(.url(address))
    return overlap
  }

  /// The only parameter with one of these names, if it is a number.
  private static func parameter(
    _ names: [String], in url: WebURL
  ) -> (name: String, value: Int)? {
    let items = url.queryParams.items.filter { names.contains($0.name) }
    guard items.count == 1, let item = items.first, item.value.texts.count == 1 else { return nil }
    return item.value.texts.first.flatMap { Int($0) }.map { (item.name, $0) }
  }
}
