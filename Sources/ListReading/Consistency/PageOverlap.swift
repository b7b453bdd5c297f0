internal import ItemMapping
internal import ServerAPI

/// A page that is requested some rows earlier than the link to it says.
package struct PageOverlap: Hashable, Sendable {
  var key: PageKey
  /// The number of rows before the page.
  package var rows: Int
  /// Whether it is the first one for its seam, and not one further back.
  var isFirst = true
  /// Whether it has these rows beyond the size of a page.
  var isWide = false
  /// Whether it begins after a place in the order of the rows, so that none is skipped even if it shares no row with
  /// those before it.
  var isChained = false
  /// The size that was requested, if not that of all pages. The number of rows shows whether the server honors it.
  var ownSize: Int?
  /// Whether it is not requested ahead. Pages of other sizes are counted on from one to the next, so that those
  /// requested ahead are of no use where rows move.
  var isAlone = false
  /// The number of rows before the page, as its link counts.
  var position: Int?
  /// The numbers of the parameters of its link that request more rows than the link of the page.
  var sizes: [String: Int] = [:]
}

extension PageKey {
  /// A place before that of the page, from which its rows can be read too.
  struct Earlier: Hashable, Sendable {
    var place: Place
    /// The number of rows before the page.
    var rows: Int
  }
}

extension PageOverlap {
  /// The number of rows before an overlap, as its request counts them; `nil` if it counts none.
  var start: Int? { key.place.offset ?? (ownSize == nil ? nil : position.map { $0 - rows }) }

  /// Returns the link to the next page as it would be without the overlap.
  ///
  /// - Parameters:
  ///   - next: The link in the overlap.
  ///   - page: The page that it begins before.
  ///   - rows: The number of rows of the overlap.
  func link(_ next: PageFacts.Link, after page: PageKey, rows count: Int) -> PageFacts.Link {
    guard case .page(var key) = next else { return next }
    // Rows may have moved further back than this overlap begins.
    if let nearest = key.earlier.last?.rows, case .after = self.key.place {
      let further = page.earlier.map {
        PageKey.Earlier(place: $0.place, rows: $0.rows + count - rows)
      }
      for start in further where key.earlier.count < 32 {
        if start.rows >= (key.earlier.last?.rows ?? 0) + nearest / 2 { key.earlier.append(start) }
      }
    }
    if ownSize == nil, let asked = self.key.size, asked != page.size {
      let isVaried = key.full?.grounds == .varied
      key.full = page.full
      if isVaried { key.full?.grounds = .varied }
    }
    if !sizes.isEmpty, case .url(let url) = key.place, let plain = url.replacing(sizes) {
      key.place = .url(plain)
    }
    return .page(key)
  }
}

extension PageStrategy {
  /// Returns the overlap that begins some rows before a page; `nil` if this way of paging has none.
  ///
  /// - Parameters:
  ///   - key: The page.
  ///   - rows: The least number of rows before it.
  ///   - isWide: Whether it has these rows beyond the size of a page.
  func overlap(before key: PageKey, rows: Int, isWide: Bool) -> PageOverlap? {
    switch way {
    case .offset(let offset):
      return Self.overlap(
        before: key, rows: rows, size: offset.limit,
        isWide: isWide && offset.pages.sizeParameter != nil)
    case .range(let range):
      return Self.overlap(before: key, rows: rows, size: range.size, isWide: isWide)
    case .keyset(let keyset):
      guard !keyset.isUnique, let start = key.earlier.first else { return nil }
      var overlap = PageOverlap(key: PageKey(start.place), rows: start.rows, isChained: true)
      overlap.key.size = keyset.pages.size.map { $0.plus(start.rows) }
      overlap.isWide = overlap.key.size != nil
      overlap.key.full = key.full
      return overlap
    case .relay(let relay):
      guard let start = key.earlier.first(where: { $0.rows >= rows }) ?? key.earlier.last else {
        return nil
      }
      var overlap = PageOverlap(key: PageKey(start.place), rows: start.rows)
      if isWide { (overlap.key.size, overlap.isWide) = (relay.size.plus(start.rows), true) }
      return overlap
    case .link, .nextURL: return Self.overlap(beforeLink: key, rows: rows, isWide: isWide)
    case .custom(let custom):
      guard let overlap = custom.closures.overlap?(key, rows), overlap != key else { return nil }
      return PageOverlap(key: overlap, rows: rows)
    case .pageNumber, .cursor, .single, .automatic: return nil
    }
  }

  /// Returns the part of a refused page up to the place where a page would end without overlaps; `nil` if that is the
  /// page itself. Some servers refuse pages that reach beyond a number of rows.
  func rest(ofPageAt key: PageKey) -> PageKey? {
    guard case .offset(let offset) = key.place, key.size == nil else { return nil }
    let limit: Int
    switch way {
    case .offset(let paging) where paging.pages.sizeParameter != nil: limit = paging.limit
    case .range(let paging): limit = paging.size
    default: return nil
    }
    let size = key.fullSize ?? limit
    guard size > 0, !offset.isMultiple(of: size) else { return nil }
    var rest = key
    rest.size = size - offset % size
    return rest
  }

  /// Whether pages have cursors and are read from the start on, so that the first page is before all of them.
  var startsWithFirstCursor: Bool {
    if case .relay(let relay) = way { !relay.startsAtEnd } else { false }
  }

  private static func overlap(
    before key: PageKey, rows: Int, size: Int, isWide: Bool
  ) -> PageOverlap? {
    guard case .offset(let offset) = key.place, offset > 0 else { return nil }
    let rows = min(rows, offset)
    var overlap = PageOverlap(key: PageKey(.offset(offset - rows)), rows: rows)
    overlap.position = offset
    overlap.key.full = key.full
    if isWide { (overlap.key.size, overlap.isWide) = (size.plus(rows), true) }
    return overlap
  }

  /// A link that counts rows leads to an overlap if it counts fewer of them.
  private static func overlap(beforeLink key: PageKey, rows: Int, isWide: Bool) -> PageOverlap? {
    guard case .url(let url) = key.place, !key.isForeign else { return nil }
    func numbers(_ names: [String]) -> [(name: String, number: Int)] {
      url.queryParams.items.filter { names.contains($0.name) }
        .compactMap { item in item.value.texts.first.flatMap { Int($0) }.map { (item.name, $0) } }
    }
    let offsets = numbers(ParameterNames.offsets)
    guard offsets.count == 1, let offset = offsets.first, offset.number > 0 else { return nil }
    let rows = min(rows, offset.number)
    let changes = [offset.name: offset.number - rows]
    let sizes = numbers(ParameterNames.sizes)
    guard let plain = url.replacing(changes) else { return nil }
    var overlap = PageOverlap(key: PageKey(.url(plain)), rows: rows)
    overlap.position = offset.number
    if isWide, sizes.count == 1, let size = sizes.first,
      let wide = plain.replacing([size.name: size.number.plus(rows)])
    {
      overlap.key.place = .url(wide)
      overlap.sizes[size.name] = size.number
      overlap.isWide = true
    }
    return overlap
  }
}

/// Overlaps of pages that have numbers: a page of another size begins among the rows of the page before.
///
/// Pages of one size never overlap. A page of `z` rows with number `m` has the rows from `m * z` on, so that sizes can
/// be found whose pages begin shortly before any row and end far behind it.
extension PageNumberPaging {
  /// Returns the size of a page where it is not the usual one, nor that of a first load that stands for several pages.
  func ownSize(of key: PageKey) -> Int? {
    guard let usual = pages.size, let size = key.size, size != usual else { return nil }
    return key.place == .number(start) && size > usual && size % usual == 0 ? nil : size
  }

  /// Returns the number of rows before a page; `nil` if its size is not known to be honored.
  func rows(before key: PageKey) -> Int? {
    guard case .number(let number) = key.place, let usual = pages.size, number > start else {
      return nil
    }
    if let size = ownSize(of: key) { return number.minus(start).times(size) }
    return key.fullSize == usual ? number.minus(start).times(usual) : nil
  }

  /// Returns the overlap that begins some rows before a page and ends as far as possible.
  ///
  /// - Parameters:
  ///   - key: The page.
  ///   - rows: The number of rows before it. An overlap that has to reach beyond the page may begin nearer.
  ///   - reachesPage: Whether it has to have rows of the page.
  func overlap(before key: PageKey, rows: Int, reachesPage: Bool) -> PageOverlap? {
    guard pages.sizeParameter != nil, let usual = pages.size,
      !pages.ends.contains(where: \.isChoice),
      let position = self.rows(before: key), position < .max
    else { return nil }
    // Smaller pages than that would take too many requests.
    let least = max(1, usual / 2)
    // A page of the usual size doesn't show whether the server honors others.
    if !reachesPage {
      return overlap(before: position, rows: rows, sizes: least...max(least, usual - 1))
    }
    for rows in stride(from: min(rows, position), through: 1, by: -1) {
      let overlap = overlap(before: position, rows: rows, sizes: least...usual)
      if let size = overlap.ownSize, size > overlap.rows { return overlap }
    }
    return nil
  }

  /// Returns the overlap of one of these sizes that ends farthest.
  private func overlap(
    before position: Int, rows: Int, sizes: ClosedRange<Int>
  ) -> PageOverlap {
    let latest = max(0, position - rows)
    var (size, end) = (sizes.upperBound, 0)
    for candidate in sizes where (latest / candidate + 1) * candidate >= end {
      (size, end) = (candidate, (latest / candidate + 1) * candidate)
    }
    let number = latest / size
    var overlap = PageOverlap(
      key: PageKey(.number(start.plus(number)), size: size), rows: position - number * size)
    overlap.position = position
    overlap.ownSize = size
    overlap.key.full = FullSize(rows: size, grounds: .confirmed)
    return overlap
  }
}
