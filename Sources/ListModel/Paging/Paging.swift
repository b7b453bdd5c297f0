internal import ServerAPI

/// How the pages of a list are asked for, and how its end is known.
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

  /// The way this is.
  package var way: Way { strategy.way }

  /// Equal when they are written the same and do the same.
  public static func == (a: Paging, b: Paging) -> Bool { a.way == b.way }

  /// Hashes the way of asking.
  public func hash(into hasher: inout Hasher) { hasher.combine(way) }

  /// The same way of paging with these rules for its end, where it takes rules.
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
  /// The declaration as it would stand in a program.
  public var description: String { strategy.declaration }
}

/// One way to ask for pages. Pure: the same key gives the same call, the same answer the same facts.
protocol PageStrategy: Hashable, Sendable {
  /// Itself, as one of the ways there are.
  var way: Paging.Way { get }

  /// The page a list begins with.
  var first: PageKey { get }

  /// The page with this number, counted from 0; `nil` where pages have no numbers.
  func key(ofPage number: Int) -> PageKey?

  /// The page that comes `steps` pages behind, where that can be worked out without an answer.
  func key(_ steps: Int, after key: PageKey) -> PageKey?

  /// How many pages lie behind one in a list of so many rows, where that can be worked out.
  func pages(behind key: PageKey, of total: Int) -> Int?

  /// Whether pages before one can be had, so that a list may begin in the middle.
  var goesBack: Bool { get }

  /// Makes the call ask for a page.
  func ask(for key: PageKey, in call: inout Call) throws(PagingError)

  /// Whether an answer with this error status means that there is no such page: the end of the list
  /// and no failure.
  func isEnd(_ status: Int, for key: PageKey) -> Bool

  /// What an answer says of its place.
  func facts(in answer: PageResponse) -> PageFacts

  /// The same, with the paging that the answer shows where none was declared.
  func recognition(in answer: PageResponse) -> Recognizer.Recognition

  /// The declaration a program would write, such as `.pageNumber(size: 20)`.
  var declaration: String { get }
}

extension PageStrategy {
  var goesBack: Bool { true }
  func key(ofPage number: Int) -> PageKey? { nil }
  func key(_ steps: Int, after key: PageKey) -> PageKey? { nil }
  func pages(behind key: PageKey, of total: Int) -> Int? { nil }
  func isEnd(_ status: Int, for key: PageKey) -> Bool { false }
  func recognition(in answer: PageResponse) -> Recognizer.Recognition {
    Recognizer.Recognition(facts: facts(in: answer))
  }
}

/// A list that comes in one answer.
struct SinglePaging: PageStrategy {
  var way: Paging.Way { .single }
  var first: PageKey { PageKey(.start) }

  func ask(for key: PageKey, in call: inout Call) throws(PagingError) {
    guard key.place == .start else { throw .foreignKey(key, expected: "the only page") }
  }

  func facts(in answer: PageResponse) -> PageFacts { PageFacts(next: .end, total: answer.count) }

  var declaration: String { Declaration("single").text }
}

extension Paging {
  /// A list that comes in one answer, whatever the answer says of more.
  ///
  /// ```swift
  /// ListModel<Country>(server, "/countries", paging: .single)
  /// ```
  ///
  /// It ends with its first page.
  public static var single: Paging { Paging(strategy: SinglePaging()) }
}
