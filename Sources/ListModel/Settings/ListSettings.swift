public import ListReading
public import ServerAPI

/// The settings of a list. Every property has a default; most programs set none.
///
/// ```swift
/// ListModel<Book>(server, "/books", paging: .link) { $0.window = .rows(2_000) }
/// ```
public struct ListSettings<Item>: Sendable {
  /// The policy for a row that the list already has.
  public var duplicates = DuplicatePolicy.keepFirst
  /// Leaves rows out before they join the list. Called off the main actor.
  public var filter: (@Sendable (Item) -> Bool)?
  /// Measures the rows that pass the filter when a page is read. Called off the main actor.
  package var measure: (@Sendable (Item) -> Void)?
  /// The number of new rows a load needs. It continues with the next page until it has them, so that a
  /// page of duplicates, or one that the filter empties, does not look like the end.
  public var minimumRows = 1
  /// The maximum number of pages that one load requests for ``minimumRows``.
  public var searchPages = 10
  /// The distance in rows from an end at which ``ListModel/rowsWillAppear(_:)`` loads the next page.
  public var prefetchDistance = 20
  /// The most pages of a ``ListGap`` that are loaded without a call, while its row is visible. With 0, a gap is only loaded
  /// by ``ListModel/loadGap(_:from:)``, which has no limit.
  public var gapPages = 3
  /// The amount kept in memory. Beyond it, pages far from the visible rows are evicted, and reloaded when
  /// they become visible again.
  public var window: ListWindow?
  /// How often the list looks for new rows above its first row (``ListModel/newRows``): as soon as its first page was last
  /// requested this long ago, at least a second. `nil`: only ``ListModel/checkForNewRows()`` does.
  ///
  /// While all screens of the list are away (``ListController``), nothing is requested; when one comes back, that is made
  /// up for at once.
  ///
  /// ```swift
  /// ListModel<Post>(server, "/posts") { $0.probe = .seconds(60) }
  /// ```
  public var probe: Duration?
  /// The time that a list waits after a change of ``ListModel/params`` or ``ListModel/call`` before it sends the
  /// request for the new rows, so that typing into a search field sends one request. It counts from the
  /// change. The load is ``LoadState/loading`` meanwhile; another change supersedes it, and a refresh without
  /// a change doesn't wait.
  public var debounce = Duration.zero
  /// Whether links and redirects may leave the home origin of the list: the origin of the first page, after
  /// redirects. Another origin gets no credentials, no body, and only headers such as `Accept`. A list never
  /// follows a link from `https` to `http`. By default they may not: such a link ends the list as
  /// incomplete, and such a redirect fails the load.
  public var allowsOtherOrigins = false
  /// Whether rows that can't be read are meant to be left out. By default a list that lost rows ends as
  /// incomplete, and a page of which no row can be read fails.
  public var acceptsUnreadableRows = false
  /// What says that a response failed or has some of the rows only, although its status is one of success.
  public var failures = FailureWords()
  /// A request object whose rules every request of the list follows: its ``BaseServerAPI/prepare(_:)``, before
  /// that of the list, and its ``BaseServerAPI/validate(_:)``. Its own call is not used.
  ///
  /// ```swift
  /// let books = ListModel<Book>(server, "/books", paging: .link) { $0.rules = TeamAPI(server) }
  /// ```
  public var rules: BaseServerAPI?
  /// Whether loads use the server's cache, the network, or both.
  public var cachePolicy = CachePolicy.standard
  /// How many extra requests may be sent to find missing rows.
  ///
  /// ```swift
  /// ListModel<Order>(server, "/orders", paging: .offset(limit: 50)) { $0.consistency = .seams }
  /// ```
  ///
  /// By default a list requests its pages as they are declared until something shows that it changes; see
  /// ``Consistency/Level/signs``. Then, and from ``Consistency/Level/seams`` on, pages overlap where the paging can,
  /// and where rows have moved up, the same load finds them: they are inserted in their place. Such pages are shown
  /// when the server has sent them, and not before from a cache. A list is not read twice, so with
  /// ``Consistency/Level/exact`` it ends as incomplete unless one response has all rows.
  public var consistency = Consistency.Level.signs
  /// What the program does not assume of the server: ``ListModel/consistency`` claims nothing that rests on it.
  ///
  /// ```swift
  /// ListModel<Player>(server, "/players") { $0.distrusts = [.order] }    // sorted by score
  /// ```
  public var distrusts: Set<ListAssumption> = []
  /// Where each response has the version of the whole list, such as a revision or a snapshot token. If it is the same
  /// in all of them, the rows are those of one instant.
  public var version: ResponseLocation?
  /// Where the list is kept for the next launch, if at all.
  public var keeping: ListKeeping?

  /// Creates the default settings.
  package init() {}
}
