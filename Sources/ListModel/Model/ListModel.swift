public import ItemMapping
public import Observation
public import ServerAPI

/// A server's pages as one list.
///
/// ```swift
/// let books = ListModel<Book>(server, "/books", items: "data.list", paging: .pageNumber(size: 20))
/// books.delegate = self          // or: for await step in books.events { … }
/// books.refresh()
/// books.loadNextPage()
/// ```
///
/// Every call to load returns at once and ends exactly once, which its ``Load`` tells. Repeats of what
/// is under way join it, a refresh takes the place of loads of further pages, and what is asked for
/// during a refresh runs when it is over. A failure leaves the rows as they are, and ``retry()`` repeats
/// it.
///
/// Delegate, ``events``, Observation and loads all see the same: observers are told on the main actor,
/// after the call that caused it has returned, and the rows change in the moment they are told of it.
/// Mapping happens elsewhere. When the last reference goes, requests are given up, loads end with
/// ``RequestError/CancelReason/ownerGone``, and nothing is told any more.
///
/// Subclass it to give a service's lists what they share (``prepare(_:)``), or to work with each page
/// (``didApply(_:)``).
@MainActor open class ListModel<Item>: PagedList, Observable {
  /// Told of everything that happens.
  public weak var delegate: (any ListModelDelegate)?
  /// The service that is asked.
  public let server: Server
  /// How pages are asked for.
  public let paging: Paging
  /// Where the rows of a page are in its JSON; `nil` where the list looks for them itself.
  public let itemsPath: JSONPath?
  /// The rules.
  public let settings: ListSettings<Item>
  /// The page that came last, with what else it said.
  public internal(set) var page: ListPage<Item>? {
    get {
      registrar.access(self, keyPath: pagePath)
      return lastPage
    }
    set { registrar.withMutation(of: self, keyPath: pagePath) { lastPage = newValue } }
  }
  /// How many rows of all pages so far the list had already, in other pages.
  public internal(set) var duplicateCount: Int {
    get {
      registrar.access(self, keyPath: duplicatesPath)
      return countedDuplicates
    }
    set {
      registrar.withMutation(of: self, keyPath: duplicatesPath) { countedDuplicates = newValue }
    }
  }

  var source: PageSource<Item>
  let registrar = ObservationRegistrar()
  // Made once: making a key path of a generic class takes longer than reading the rows.
  let rowsPath = \ListModel.rows
  let statesPath = \ListModel.states
  private let pagePath = \ListModel.page
  let freshnessPath = \ListModel.freshness
  private let recognisedPath = \ListModel.recognized
  private let duplicatesPath = \ListModel.duplicateCount
  private var lastPage: ListPage<Item>?
  private var countedDuplicates = 0
  var brain: ListBrain<Item>
  var shownFreshness = Freshness.nothing
  /// Writes the list down, where it is kept.
  var keeper: ListKeeper?
  var template: Call
  var shown = ListSnapshot<Item>()
  /// What ``Paging/automatic`` found out; `nil` for other pagings, and as long as nothing is known.
  public var recognized: RecognizedPaging? {
    registrar.access(self, keyPath: recognisedPath)
    return traits.recognized
  }
  /// What earlier pages showed of the server.
  var traits = ServerTraits() {
    willSet {
      if newValue.recognized != traits.recognized {
        registrar.willSet(self, keyPath: recognisedPath)
      }
    }
    didSet {
      if oldValue.recognized != traits.recognized {
        registrar.didSet(self, keyPath: recognisedPath)
      }
    }
  }
  var lastLoad = 0
  var loads: [Int: Load] = [:]
  var requests: [Int: Task<Void, Never>] = [:]
  /// What observers have yet to see, in order.
  var outbox: ArraySlice<Delivery> = []
  var isDeliveryDue = false
  let board = ListEventBoard<Item>()

  /// A list of anything.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - call: What every page is asked with: address, parameters, method, fields, body.
  ///   - reader: How items are made of an answer.
  ///   - paging: How pages are asked for, and how the end is known.
  ///   - identity: How items are told apart.
  ///   - page: The class of the page objects, to read more of an answer than its rows.
  ///   - configure: Changes the rules.
  public init(
    _ server: Server, _ call: Call, reading reader: PageReader<Item>, paging: Paging,
    identity: ItemIdentity<Item>, page: ListPage<Item>.Type = ListPage<Item>.self,
    configure: (inout ListSettings<Item>) -> Void = { _ in }
  ) {
    var settings = ListSettings<Item>()
    configure(&settings)
    self.server = server
    self.paging = paging
    self.settings = settings
    itemsPath = reader.declaredPath
    template = call
    source = PageSource(
      PageLoader(
        server: server, reader: reader, identity: identity, filter: settings.filter,
        envelope: page, keeps: settings.keeping != nil,
        allowsOtherOrigins: settings.allowsOtherOrigins, measure: settings.measure), paging)
    brain = ListBrain(first: paging.strategy.first, settings: settings)
  }

  deinit {
    for request in requests.values { request.cancel() }
    for load in loads.values { load.finish(.cancelled(.ownerGone)) }
  }

  // MARK: - For subclasses

  /// Adds what all requests of a subclass share. Called on a copy of the call at each request, before
  /// the page is added to it; the default does nothing.
  open func prepare(_ call: inout Call) {}

  /// Called when the rows of a page are in the list. The default does nothing.
  open func didApply(_ page: ListPage<Item>) {}

  // MARK: - What is asked

  /// What every request asks, apart from its page. Setting it begins a new list: loads end with
  /// ``RequestError/CancelReason/superseded``, and the rows go.
  public var call: Call {
    get { template }
    set {
      template = newValue
      reset()
    }
  }

  /// The parameters of ``call``. Setting others begins a new list.
  public var params: Params {
    get { template.params }
    set { if newValue != template.params { call.params = newValue } }
  }

  /// Begins a new list: loads end with ``RequestError/CancelReason/superseded``, the rows go,
  /// and what was found out about the server is forgotten.
  public func reset() {
    (page, traits, duplicateCount, keeper) = (nil, ServerTraits(), 0, nil)
    source.dropAhead()
    act { $0.reset(first: paging.strategy.first) }
  }

  // MARK: - Rows

  /// The rows now. A copy costs nothing and stays as it is.
  public var rows: ListSnapshot<Item> {
    registrar.access(self, keyPath: rowsPath)
    return shown
  }

  /// What is known of their age. It changes together with them.
  public var freshness: Freshness {
    registrar.access(self, keyPath: freshnessPath)
    return shownFreshness
  }

  // MARK: - States

  /// Whether a first page has ever come.
  public var hasLoaded: Bool { states.hasLoaded }
  /// Where first load, refresh and jump stand.
  public var refreshState: LoadState { states.listState }
  /// Where the loads of one side stand.
  public func state(of side: ListSide) -> LoadState { states.state(of: side) }
  /// Answers that came when nobody waited for them any more, and were dropped.
  public var discardedResponses: Int { states.discardedResponses }

  var states: PageMachine { observedBrain.machine }

  var observedBrain: ListBrain<Item> {
    registrar.access(self, keyPath: statesPath)
    return brain
  }

  // MARK: - Loads

  /// Loads the first page, or loads it again.
  @discardableResult public func refresh() -> Load { refresh(.keepVisible) }

  /// Loads the first page, or loads it again.
  @discardableResult public func refresh(_ mode: RefreshMode) -> Load {
    var mode = mode
    if case .around = mode, !(recognized?.paging ?? paging).strategy.goesBack {
      mode = .keepVisible
    }
    return load { $0.refresh(mode, load: $1) }
  }

  /// Loads the page behind the last row; the first page where there is none yet.
  @discardableResult public func loadNextPage() -> Load { load { $0.ask(.next, load: $1) } }

  /// Loads the page before the first row; the first page where there is none yet.
  @discardableResult public func loadPreviousPage() -> Load {
    load { $0.ask(.previous, load: $1) }
  }

  /// Loads the page with this number, counted from 0, in place of all rows. Further pages follow on
  /// both sides of it.
  @discardableResult public func loadPage(_ number: Int) -> Load {
    let paging = recognized?.paging ?? paging
    guard number >= 0, let key = paging.strategy.key(ofPage: number) else {
      return load { $0.refuse(.page(number), .paging(.notNumbered("\(paging)")), load: $1) }
    }
    return load { $0.ask(.page(number), load: $1, key: key) }
  }

  /// Repeats the load that failed last; a list that never loaded is loaded.
  @discardableResult public func retry() -> Load { load { $0.retry(load: $1) } }

  /// Ends every load.
  public func cancel() { act { $0.cancelAll() } }

  /// Tells of rows that are on the screen. Pages that were given up there are loaded again, and further
  /// ones where the screen comes near an end. Call it as often as you like.
  public func rowsWillAppear(_ rows: Range<Int>) {
    act { $0.saw(rows) }
    guard let keeper, let page = brain.store.page(atRow: rows.lowerBound) else { return }
    keeper.sees(rows.lowerBound - page.range.lowerBound, of: page.id)
  }

  /// The same for an observer that decides by itself when further pages are loaded.
  package func rowsWillAppear(_ rows: Range<Int>, looksAhead: Bool) {
    act { $0.saw(rows, looksAhead: looksAhead) }
  }

  // MARK: - Observers

  /// What happens from now on, one step after the other, for any number of consumers.
  public var events: ListEvents<Item> { ListEvents(board: board) }

  /// Tells an object of each step before the delegate is told, and does not keep it alive.
  package func follow(_ follower: some ListFollower<Item>) { board.add(follower) }

  /// How items are told apart.
  package var identity: ItemIdentity<Item> { source.loader.identity }
}

extension ListModel {
  /// How many rows there are now.
  public var count: Int { rows.count }
}
