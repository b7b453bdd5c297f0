internal import ItemMapping
package import ServerAPI
internal import Support

/// The pages of a walk with their validators, so that the server can confirm each of them without sending it again.
///
/// They are kept encoded, one after the other: a walk remembers all of its pages, in about four bytes for each row.
struct ValidatedPages {
  struct Page {
    var key: PageKey
    var validator: String
    /// The indices of its rows among the sightings.
    var rows: Rows
    /// The total in the body.
    var total: Int?
    /// Whether the body says that it is the last page.
    var isLast: Bool
    /// The version of the list that had these rows, which stays true.
    var version: PageVersion?
  }

  /// Rows that are mostly new, and then have indices that follow each other.
  struct Rows {
    fileprivate var first: Int
    fileprivate var count: Int
    fileprivate var others: [Int]

    init(_ indices: [UInt32]) {
      first = indices.first.map(Int.init) ?? 0
      count = zip(indices, first...).prefix { $0 == $1 }.count
      others = indices.dropFirst(count).map(Int.init)
    }

    var indices: [Int] { Array(first..<first + count) + others }
  }

  private var bytes: [UInt8] = []
  /// Where each page ends.
  private var ends: [UInt32] = []
  /// Whether each page had a validator.
  private(set) var isComplete = true

  /// Adds a page of the walk, which was requested by a strategy.
  ///
  /// A validator confirms a body. What headers say of the list may have changed all the same, as many servers make the
  /// validator of the body alone, so that is not kept.
  mutating func add(
    _ page: LoadedPage<JSONView>, _ indices: [UInt32], by strategy: any PageStrategy
  ) {
    guard isComplete else { return }
    var writer = ByteWriter()
    guard let validator = page.page.headers["ETag"], indices.count == page.rows.items.count,
      let key = page.rows.key.withoutEarlier.bytes
    else {
      giveUp()
      return
    }
    writer.write(key)
    writer.write(validator)
    let rows = Rows(indices)
    writer.write(rows.first)
    writer.write(rows.count)
    writer.write(rows.others) { $0.write($1) }
    let isInBody = !strategy.readsHeaders && !page.page.headers.describeList
    writer.write(isInBody ? page.page.facts.countedTotal : nil) { $0.write($1) }
    writer.write(isInBody && page.page.facts.isStatedEnd)
    writer.write(page.version) { $0.write($1.text) { $0.write($1) } }
    guard let end = UInt32(exactly: bytes.count + writer.bytes.count) else {
      giveUp()
      return
    }
    bytes += writer.bytes
    ends.append(end)
  }

  private mutating func giveUp() {
    self = ValidatedPages()
    isComplete = false
  }

  /// Returns a page; `nil` after the last one.
  subscript(index: Int) -> Page? {
    guard ends.indices.contains(index) else { return nil }
    let start = index == 0 ? 0 : Int(ends[index - 1])
    var reader = ByteReader(Array(bytes[start..<Int(ends[index])]))
    do throws(ByteReader.InvalidBytes) { return try Page(&reader) } catch { return nil }
  }

  /// The number of rows of the first page, which is no overlap.
  var firstSize: Int? { self[0]?.rows.indices.count }
}

extension ValidatedPages.Page {
  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    key = try PageKey(reader.content())
    validator = try reader.text()
    rows = try ValidatedPages.Rows(&reader)
    total = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.number() }
    isLast = try reader.flag()
    version = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      var version = PageVersion(nil)
      version.text = try reader.optional { reader throws(ByteReader.InvalidBytes) in
        try reader.text()
      }
      return version
    }
  }
}

extension ValidatedPages.Rows {
  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    (first, count) = (try reader.number(), try reader.number())
    others = try reader.array { reader throws(ByteReader.InvalidBytes) in try reader.number() }
  }
}

extension PageStrategy {
  /// Whether headers may say where the list ends, or how many rows it has.
  fileprivate var readsHeaders: Bool {
    func areInHeaders(_ pages: CountedPages) -> Bool {
      pages.ends.contains { $0.location?.isInHeader == true }
    }
    return switch way {
    case .pageNumber(let paging): areInHeaders(paging.pages)
    case .offset(let paging): areInHeaders(paging.pages)
    case .keyset(let paging): areInHeaders(paging.pages)
    case .cursor(let paging): paging.next.isInHeader || areInHeaders(paging.pages)
    case .nextURL(let paging): paging.next.isInHeader || paging.total?.isInHeader == true
    case .relay, .single: false
    case .range, .link, .custom, .automatic: true
    }
  }
}

extension HTTPHeaders {
  /// Whether the name of a header suggests that it describes the list.
  fileprivate var describeList: Bool {
    fields.contains { NameWords($0.name).hasAny(of: Self.listWords) }
  }

  private static let listWords: Set<String> = [
    "total", "count", "page", "pages", "pagination", "paging", "next", "link", "more", "cursor",
    "range", "results", "records", "items", "rows",
  ]
}

extension PageKey {
  /// The key alone, without the places before it.
  fileprivate var withoutEarlier: PageKey {
    var key = self
    key.earlier = []
    return key
  }
}

extension Server {
  /// Returns a mode in which no stored response is served to a call without the server, unless the call must not use the
  /// network.
  package func validatingMode(of call: Call) -> CacheMode {
    let mode = configuration.cacheMode(of: call)
    return switch mode {
    case .standard, .revalidate, .networkElseCache, .cacheElseNetwork: .revalidate
    case .reload, .noStore, .cacheOnly: mode
    }
  }
}
