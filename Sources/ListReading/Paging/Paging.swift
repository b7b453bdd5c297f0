internal import ServerAPI

/// How the pages of a list are requested, and how its end is detected.
public struct Paging: Hashable, Sendable {
  let strategy: any PageStrategy

  /// Every way of paging. A decision that depends on the way switches over it, so the compiler names each
  /// place that has to know a new one.
  package enum Way: Hashable, Sendable {
    case pageNumber(PageNumberPaging)
    case offset(OffsetPaging)
    case range(RangePaging)
    case cursor(CursorPaging)
    case keyset(KeysetPaging)
    case relay(RelayPaging)
    case link(LinkPaging)
    case nextURL(NextURLPaging)
    case custom(CustomPaging)
    case single
    case automatic
  }

  /// The way of paging that this value is.
  package var way: Way { strategy.way }

  /// Pagings are equal when they are declared the same and behave the same.
  public static func == (a: Paging, b: Paging) -> Bool { a.way == b.way }

  /// Hashes the way of paging.
  public func hash(into hasher: inout Hasher) { hasher.combine(way) }

  /// Returns the same paging with these rules for its end, where it takes rules.
  package func ending(_ ends: [EndRule]) -> Paging {
    switch way {
    case .pageNumber(var way):
      (way.pages.ends, way.headers) = (ends, nil)
      return Paging(strategy: way)
    case .offset(var way):
      way.pages.ends = ends
      return Paging(strategy: way)
    case .cursor(var way):
      way.pages.ends = ends
      return Paging(strategy: way)
    case .keyset(var way):
      way.pages.ends = ends
      return Paging(strategy: way)
    case .range, .relay, .link, .nextURL, .custom, .single, .automatic: return self
    }
  }
}

extension Paging: CustomStringConvertible {
  /// The declaration, as a program would write it.
  public var description: String { strategy.declaration }
}

/// What a list asks of its paging.
extension Paging {
  /// The first page.
  package var first: PageKey { strategy.first }
  /// Whether previous pages can be loaded, so that a list may start in the middle.
  package var goesBack: Bool { strategy.goesBack }

  /// Returns the page with this number, counted from 0; `nil` where pages have no numbers.
  package func key(ofPage number: Int) -> PageKey? { strategy.key(ofPage: number) }
}

/// One way to request pages. Pure: the same key gives the same call, the same response the same facts.
protocol PageStrategy: Hashable, Sendable {
  /// Itself, as one of the ways there are.
  var way: Paging.Way { get }

  /// The first page of a list.
  var first: PageKey { get }

  /// Returns the page with this number, counted from 0; `nil` where pages have no numbers.
  func key(ofPage number: Int) -> PageKey?

  /// Returns the page `steps` pages after one; `nil` where that can't be worked out without a response.
  func key(_ steps: Int, after key: PageKey) -> PageKey?

  /// Returns how many pages follow one in a list of `total` rows; `nil` where that can't be worked out.
  func pages(after key: PageKey, of total: Int) -> Int?

  /// Returns how many pages follow one in a list of `count` pages; `nil` where that can't be worked out.
  func pages(after key: PageKey, ofPages count: Int) -> Int?

  /// Whether previous pages can be loaded, so that a list may start in the middle.
  var goesBack: Bool { get }

  /// Makes the call request a page.
  func apply(_ key: PageKey, to call: inout Call) throws(PagingError)

  /// Whether a response with this error status means that there is no such page: the end of the list
  /// and not a failure.
  func isEnd(_ status: Int, for key: PageKey) -> Bool

  /// Where every page but the last one has the address or cursor of the next page, or a flag beside it.
  var placeOfNext: ResponseLocation? { get }

  /// The number of rows that the paging requests per page, where it is declared.
  var declaredSize: Int? { get }

  /// Returns what a response says about its place.
  func facts(in page: PageResponse) -> PageFacts

  /// The declaration a program would write, such as `.pageNumber(size: 20)`.
  var declaration: String { get }
}

extension PageStrategy {
  var goesBack: Bool { true }
  func key(ofPage number: Int) -> PageKey? { nil }
  func key(_ steps: Int, after key: PageKey) -> PageKey? { nil }
  func pages(after key: PageKey, of total: Int) -> Int? { nil }
  func pages(after key: PageKey, ofPages count: Int) -> Int? { nil }
  func isEnd(_ status: Int, for key: PageKey) -> Bool { false }
  var placeOfNext: ResponseLocation? { nil }
  var declaredSize: Int? { nil }
}

/// A list in a single response.
struct SinglePaging: PageStrategy {
  var way: Paging.Way { .single }
  var first: PageKey { PageKey(.start) }

  func apply(_ key: PageKey, to call: inout Call) throws(PagingError) {
    guard key.place == .start else { throw .foreignKey(key, expected: "the only page") }
  }

  func facts(in page: PageResponse) -> PageFacts { PageFacts(next: .end, total: page.count) }

  var declaration: String { Declaration("single").text }
}

extension Paging {
  /// A list in a single response.
  ///
  /// ```swift
  /// ListModel<Country>(server, "/countries", paging: .single)
  /// ```
  ///
  /// It ends with its first page, and is incomplete if the response says that there is more.
  public static var single: Paging { Paging(strategy: SinglePaging()) }
}
