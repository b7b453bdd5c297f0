internal import ItemMapping
internal import ServerAPI
internal import Support

/// The pages of a walk with their validators, so that the server can confirm each of them without sending it again.
struct ValidatedPages {
  /// A page, as small as it can be.
  struct Page {
    /// Its key, encoded.
    fileprivate var key: [UInt8]
    var validator: String
    /// The indices of its rows among the sightings.
    var rows: Rows
    var total: Int?
    var isLast: Bool
    var version: PageVersion?
  }

  /// Rows that are mostly new, and then have indices that follow each other.
  struct Rows {
    private var first: UInt32
    private var count: UInt32
    private var others: [UInt32]

    init(_ indices: [UInt32]) {
      first = indices.first ?? 0
      count = UInt32(zip(indices, first...).prefix { $0 == $1 }.count)
      others = Array(indices.dropFirst(Int(count)))
    }

    var indices: [Int] { (first..<first + count).map(Int.init) + others.map(Int.init) }
  }

  private(set) var pages: [Page] = []
  /// Whether each page had a validator.
  private(set) var isComplete = true

  /// Adds a page of the walk.
  mutating func add(_ page: LoadedPage<JSONView>, _ indices: [UInt32]) {
    guard isComplete else { return }
    guard let validator = page.page.headers["ETag"], indices.count == page.rows.items.count,
      let key = page.rows.key.withoutEarlier.bytes
    else {
      (isComplete, pages) = (false, [])
      return
    }
    pages.append(
      Page(
        key: key, validator: validator, rows: Rows(indices),
        total: page.page.facts.total, isLast: page.page.facts.next == .end, version: page.version))
  }

  /// The number of rows of the first page, which is no window.
  var firstSize: Int? { pages.first?.rows.indices.count }

  /// Returns the key of a page; `nil` after the last one.
  func key(_ index: Int) -> PageKey? {
    guard pages.indices.contains(index) else { return nil }
    do throws(ByteReader.InvalidBytes) { return try PageKey(pages[index].key) } catch { return nil }
  }
}

extension PageKey {
  /// The key alone, without the places before it.
  fileprivate var withoutEarlier: PageKey {
    var key = self
    key.earlier = []
    return key
  }
}
