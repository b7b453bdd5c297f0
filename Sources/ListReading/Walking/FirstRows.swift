internal import ItemMapping

/// The first rows of a walk, to see whether a member that was recognized as their id is one.
///
/// A member may differ in all rows of the first page by chance, or count the rows of each page. On a later page it has the
/// values of other rows then. A row that was updated or has moved keeps most of its other members, so that only rows
/// without anything in common are different ones, and only several on one page are a sign.
///
/// Values that come again come again among the first rows too, so only the pages with those are kept, as text, and they are
/// parsed again only if an id comes again.
struct FirstRows {
  /// The number of rows whose pages are kept.
  private static let most = 512
  /// The bytes of all pages together.
  private static let mostBytes = 4 << 20
  private static let mostMembers = 20
  /// Rows that were dropped since they seem to be those before them, and that share nothing with these.
  private static let mostDropped = 50

  private var pages: [JSONCopy] = []
  /// The page and place of each row, by its index among the known rows; `nil` for one that isn't kept.
  private var places: [(page: Int, row: Int)?] = []
  /// Members that differ in all rows of the first page, two at most; `nil` before they are needed.
  private var paths: [JSONPath]?
  /// Copies of the rows that were dropped although they differ.
  private(set) var dropped: [JSONView] = []

  /// What a page shows.
  struct Count {
    /// The numbers of the rows that come again with other content, by their places on the page.
    fileprivate var different: [Int] = []
    fileprivate var same = 0
  }

  /// Keeps the new rows of a page.
  ///
  /// - Parameters:
  ///   - new: The places of the new rows on the page.
  ///   - indices: Their indices among the known rows.
  mutating func keep(_ rows: [JSONView], _ new: [Int], _ indices: [Int]) {
    guard let first = indices.first, first < Self.most,
      let page = JSONCopy(rows, limit: Self.mostBytes - pages.reduce(0) { $0 + $1.size })
    else { return }
    for (place, index) in zip(new, indices) where index >= places.count {
      places.append(contentsOf: repeatElement(nil, count: index - places.count))
      places.append((pages.count, place))
    }
    pages.append(page)
  }

  /// The number of rows at the start of an overlap that are the last ones before it, where their ids don't show that.
  ///
  /// - Parameters:
  ///   - indices: The indices of the rows, where their ids are known.
  ///   - orders: Their numbers in the order of reading.
  ///   - count: The number after the last row in that order.
  mutating func overlap(
    of rows: [JSONView], _ indices: [Int?], _ orders: [Int?], before count: Int
  ) -> Int {
    var (end, next) = (0, nil as Int?)
    for (place, row) in rows.enumerated() {
      if !dropped.contains(where: { $0.text == row.text }) {
        guard let index = indices[place], let order = orders[place],
          isSame(row, as: index) ?? true, (0..<count).contains(order), next ?? order == order
        else { break }
        next = order + 1
      }
      if next == nil || next == count { end = place + 1 }
      if next == count { break }
    }
    return end
  }

  /// Whether a row is the one at an index, byte by byte; `nil` where that one isn't kept.
  private mutating func isSame(_ row: JSONView, as index: Int) -> Bool? {
    guard places.indices.contains(index), let known = places[index] else { return nil }
    return pages[known.page].value(known.row)?.text == row.text
  }

  /// Compares a row of a later page with the one that has its id.
  mutating func compare(
    _ row: JSONView, at place: Int, with index: Int, id: JSONPath, _ count: inout Count
  ) {
    guard places.indices.contains(index), let known = places[index] else { return }
    let paths = chosen(besides: id)
    guard !paths.isEmpty, let other = pages[known.page].value(known.row) else { return }
    let shares = paths.contains { path in
      guard let digest = RowDigest(at: path, in: other) else { return false }
      return digest == RowDigest(at: path, in: row)
    }
    if shares { count.same += 1 } else { count.different.append(place) }
  }

  private mutating func chosen(besides id: JSONPath) -> [JSONPath] {
    if let paths { return paths }
    let first = places.compactMap { place in
      place.flatMap { $0.page == 0 ? pages[0].value($0.row) : nil }
    }
    let found = first.first?.members.prefix(Self.mostMembers).lazy
      .map { JSONPath([.name($0.name)]) }
      .filter { first.count > 1 && $0.segments != id.segments && Self.isDistinct($0, in: first) }
    let paths = found.map { Array($0.prefix(2)) } ?? []
    self.paths = paths
    return paths
  }

  private static func isDistinct(_ path: JSONPath, in rows: [JSONView]) -> Bool {
    var seen: Set<RowDigest> = []
    return rows.allSatisfy { row in
      guard row.scalar(at: path) != nil, let digest = RowDigest(at: path, in: row) else {
        return false
      }
      return seen.insert(digest).inserted
    }
  }

  /// Whether the rows of a page are different ones, and not those before them.
  func areOthers(_ count: Count, of rows: Int) -> Bool {
    guard let paths, count.different.count > count.same else { return false }
    return count.different.count >= (paths.count > 1 ? 3 : max(3, rows / 2))
  }

  /// Keeps rows that are dropped, for the case that their id turns out to be none.
  mutating func drop(_ count: Count, of rows: [JSONView]) {
    for place in count.different where dropped.count < Self.mostDropped {
      if let copy = try? JSONDocument(rows[place].text) { dropped.append(copy.root) }
    }
  }
}

extension WalkedRows {
  /// Whether no two different rows of a page have the same id. If two do, it isn't an id, whatever its name.
  static func areDistinct(_ rows: [JSONView], by path: JSONPath) -> Bool {
    var first: [RowDigest: JSONView] = [:]
    for row in rows {
      guard let id = RowDigest(at: path, in: row) else { continue }
      if let other = first.updateValue(row, forKey: id), other.text != row.text { return false }
    }
    return true
  }
}
