public import ItemMapping
public import ServerAPI

/// One page of a ``PageWalk``.
public struct WalkedPage: Sendable {
  /// Its number in the walk, counted from 0.
  public var number: Int
  /// The rows that were not there before, in order.
  public var rows: [JSONView]
  /// The id of each of these rows, `nil` for one without; empty where rows are not told apart.
  public var ids: [RowID?]
  /// How many rows came that had come before.
  public var duplicates: Int
  /// What the answer says of its place in the list.
  public var facts: PageFacts
  /// Where the rows are in the answer.
  public var itemsPath: JSONPath
  /// Where the answer came from, after redirects.
  public var url: WebURL?
  /// Whether rows had moved across the border before it.
  public var isSeam: Bool
  /// Where the walk stood before it: a walk from here brings the page again.
  public var mark: WalkMark
}

/// How a ``PageWalk`` tells rows apart.
public enum WalkIdentity: Hashable, Sendable {
  /// By the member that ids usually are in, where all rows of the first page have one of their own; by
  /// the rows themselves where they are texts or whole numbers. Otherwise every row is one of its own.
  case recognised
  /// By what stands there in each row.
  case at(JSONPath)
  /// Every row is one of its own.
  case none
}

/// A page as it came from the server.
struct CamePage: Sendable {
  var key: PageKey
  var rows: [JSONView]
  var facts: PageFacts
  var itemsPath: JSONPath?
  var home: Origin?
  var recognised: RecognisedPaging?
  var url: WebURL?

  /// What an empty page has against it that should be the end of the list: the server's own numbers.
  var contradiction: PagingError? {
    guard rows.isEmpty, facts.next == .end, facts.total ?? facts.pageCount != nil else {
      return nil
    }
    return facts.problems.first
  }
}

extension PageKey.Place {
  /// Whether rows that go or come move the rows of the page: where pages or rows are counted, be it by
  /// the server in its links.
  var isCounted: Bool {
    guard case .url(let url) = self else { return border == .assumed }
    return url.queryParams.items.contains { item in
      ParameterNames.pages.contains(item.name) || ParameterNames.offsets.contains(item.name)
    }
  }
}

extension PageLoader<JSONView> {
  @concurrent
  func came(_ wish: Wish) async throws(LoadError) -> CamePage {
    let loaded = try await load(wish)
    return CamePage(
      key: loaded.rows.key, rows: loaded.rows.items, facts: loaded.page.facts,
      itemsPath: loaded.itemsPath, home: loaded.home, recognised: loaded.recognised,
      url: loaded.page.url)
  }
}
