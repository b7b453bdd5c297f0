public import ItemMapping
public import ServerAPI

/// A server's pages one after the other, for lists that are too long to keep.
///
/// ```swift
/// let walk = PageWalk(server, "/events", paging: .automatic)
/// while let page = try await walk.next() {
///   for row in page.rows { print(row) }
/// }
/// if case .incomplete(let reason) = walk.end { print("there may be more: \(reason)") }
/// ```
///
/// Rows are read in place, as they came. Of those that are gone only the ids are kept, so that a row that
/// comes again is noticed. What was thrown leaves the walk where it is: the next call of ``next()`` asks
/// for the same page again. A ``checkpoint`` lets another walk go on from there, in another process too.
///
/// Where pages are counted and the server says that there are fewer rows than before, rows may have moved
/// up across the border of a page. Then the page before is asked for once more and brings what was
/// missed; where that can't be done, or only fewer pages are told, the list ends as incomplete. So does one
/// that brought fewer rows than the server ever said there are, or that ends on an empty page against the
/// server's own numbers.
public final class PageWalk {
  private let call: Call
  private var source: PageSource<JSONView>
  private var brain: WalkBrain

  /// Makes a walk over a list.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - address: Where the list is, relative to the base of the server or absolute.
  ///   - method: The method of every request.
  ///   - params: What every request has in its query.
  ///   - items: Where in a response the rows are; without it they are looked for.
  ///   - paging: How pages are requested, and how the end is known.
  ///   - identity: How rows are told apart.
  ///   - allowsOtherOrigins: Whether links and redirects may leave the list's home, see
  ///     ``ListSettings/allowsOtherOrigins``.
  ///   - parallel: How many pages may be under way at once, where their places can be worked out and the
  ///     server says how many rows there are.
  ///   - checkpoint: Where an earlier walk with the same arguments stopped; without it the walk begins at
  ///     the first page.
  ///   - knownIDs: The ids of the rows that earlier walks delivered.
  public convenience init(
    _ server: Server, _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    items: JSONPath? = nil, paging: Paging = .automatic, identity: PageWalk.Identity = .recognized,
    allowsOtherOrigins: Bool = false, parallel: Int = 1,
    from checkpoint: PageWalk.Checkpoint? = nil,
    knownIDs: some Sequence<RowID> = []
  ) {
    self.init(
      server, Call(address, method: method, params: params), items: items, paging: paging,
      identity: identity, allowsOtherOrigins: allowsOtherOrigins, parallel: parallel,
      from: checkpoint, knownIDs: knownIDs)
  }

  /// Makes a walk over a list whose requests have fields or a body of their own.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - call: What every page is requested with: address, parameters, method, fields, body.
  ///   - items: Where in a response the rows are; without it they are looked for.
  ///   - paging: How pages are requested, and how the end is known.
  ///   - identity: How rows are told apart.
  ///   - allowsOtherOrigins: Whether links and redirects may leave the list's home, see
  ///     ``ListSettings/allowsOtherOrigins``.
  ///   - parallel: How many pages may be under way at once, where their places can be worked out and the
  ///     server says how many rows there are.
  ///   - mark: Where an earlier walk with the same arguments stood; without it the list begins.
  ///   - ids: Those of the rows that earlier walks brought.
  public init(
    _ server: Server, _ call: Call, items: JSONPath? = nil, paging: Paging = .automatic,
    identity: PageWalk.Identity = .recognized, allowsOtherOrigins: Bool = false, parallel: Int = 1,
    from checkpoint: PageWalk.Checkpoint? = nil,
    knownIDs ids: some Sequence<RowID> = []
  ) {
    precondition(parallel > 0, "at least one page is loaded at a time, not \(parallel)")
    self.call = call
    source = PageSource(
      PageLoader(
        server: server, reader: .items(at: items), identity: .none, filter: nil,
        envelope: ListPage<JSONView>.self, keeps: false, allowsOtherOrigins: allowsOtherOrigins),
      paging)
    source.loader.remembers = false
    source.parallel = parallel
    brain = WalkBrain(paging, WalkedRows(identity, known: Set(ids)), from: checkpoint)
  }

  /// What ``Paging/automatic`` found out; `nil` for other pagings, and as long as nothing is known.
  public var recognized: RecognizedPaging? { brain.traits.recognized }
  /// Where in a row its id is; `nil` where rows are not told apart, and before the first page.
  public var idPath: JSONPath? { brain.rows.idPath }
  /// How many borders of pages there were at which rows had moved.
  public var seams: Int { brain.seams }
  /// How many pages came, those before the mark included.
  public var pages: Int { brain.pages }
  /// How the list ended; `nil` as long as there is a page to ask for.
  public var end: ListEnd? { brain.end }
  /// Where the walk stands; `nil` where the list has ended.
  public var checkpoint: PageWalk.Checkpoint? { brain.checkpoint }

  /// The next page; `nil` where the list has ended, see ``end``.
  public func next() async throws(LoadError) -> PageWalk.Page? {
    var step = brain.next()
    while case .request(let key) = step { step = brain.take(try await page(at: key)) }
    source.dropAhead(unlessAt: brain.link)
    guard case .deliver(let page) = step else { return nil }
    return page
  }

  private func page(at key: PageKey) async throws(LoadError) -> LoadedPage<JSONView> {
    let early = source.takeAhead(key)
    // A page of before, which shows what the walk has to know, leads nowhere.
    if brain.link == .page(key) {
      for key in source.keysAhead(of: key, total: brain.total, brain.traits) {
        source.loadAhead(request(key))
      }
    }
    if let early { return try await early.page() }
    return try await source.loader.load(request(key))
  }

  private func request(_ key: PageKey) -> PageLoader<JSONView>.Request {
    source.request(key, of: call, brain.traits, isFirst: key == source.paging.strategy.first)
  }
}
