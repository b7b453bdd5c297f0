public import ItemMapping
public import ListReading
public import Observation
public import ServerAPI

/// A list that gathers the pages of a server.
///
/// ```swift
/// let books = ListModel<Book>(server, "/books", items: "data.list", paging: .pageNumber(size: 20))
/// books.delegate = self          // or: for await step in books.events { … }
/// books.refresh()
/// books.loadNextPage()
/// ```
///
/// - Loads: every load returns a ``Load`` at once and ends exactly once. An equal load joins the running
///   one, a refresh supersedes loads of further pages, and a load requested during a refresh runs after
///   it. A failure leaves the rows unchanged, and ``retry()`` repeats the load that failed.
/// - Rows: a row is in the list once, by its id (``ItemIdentity``, ``DuplicatePolicy``). A list that can't
///   tell how to continue ends as incomplete, with the reason; it never guesses.
/// - Isolation and order: the model belongs to the main actor; responses are mapped off it. Delegate,
///   ``events``, Observation and loads see the same events in the same order, after the call that caused
///   them has returned. ``rows`` changes at the moment observers are notified of the change, and within the
///   call of an edit or a reset; while an observer is notified, they are those of its event. States (``refreshState``,
///   ``state(of:)``) change within the call.
/// - Cost: a page costs in proportion to its own rows, however long the list is. Copies of ``rows`` are free.
/// - Lifetime: when the last reference is released, requests are cancelled, loads end with
///   ``RequestError/CancelReason/ownerGone``, and nothing is notified.
///
/// It doesn't display, sort or group rows, which is the task of `ListController`, and doesn't retry requests,
/// which is the task of ``Server``.
///
/// Subclass it to prepare all requests of a service (``prepare(_:)``), or to work with each page
/// (``didApply(_:)``).
@MainActor open class ListModel<Item>: Observable {
  /// The delegate, which is notified of every event.
  public weak var delegate: (any ListModelDelegate<Item>)?
  /// Called when the rows changed, after the delegate.
  public var onChange: ((ListChange) -> Void)?
  /// Called when a load failed, after the delegate.
  public var onFailure: ((LoadError) -> Void)?
  /// Called when a load reaches the end of the list, after the delegate. A load that is requested beyond the end does
  /// not reach it again.
  public var onEnd: ((ListEnd) -> Void)?
  /// Called when a load has ended, with any outcome, after the delegate: the place to stop a spinner.
  public var onFinish: ((LoadKind) -> Void)?
  /// Called with the outcome of every load, when its ``Load/outcome`` is known.
  public var completion: ((LoadOutcome) -> Void)?
  /// The server that requests are sent to.
  public let server: Server
  /// How pages are requested.
  public let paging: Paging
  /// The path of the rows in the JSON of a page; `nil` if the list finds them itself.
  public let itemsPath: JSONPath?
  /// The settings of the list.
  public let settings: ListSettings<Item>
  /// The last page, with the facts around its rows.
  public internal(set) var page: ListPage<Item>? {
    get {
      registrar.access(self, keyPath: pagePath)
      return lastPage
    }
    set { registrar.withMutation(of: self, keyPath: pagePath) { lastPage = newValue } }
  }
  /// The number of received rows that the list already had from other pages.
  public internal(set) var duplicateCount: Int {
    get {
      registrar.access(self, keyPath: duplicatesPath)
      return countedDuplicates
    }
    set {
      registrar.withMutation(of: self, keyPath: duplicatesPath) { countedDuplicates = newValue }
    }
  }
  /// The rows that the list is known or suspected to lack.
  package var losses: RowLosses { brain.machine.extent?.losses ?? RowLosses() }

  var source: PageSource<Item>
  let registrar = ObservationRegistrar()
  // Stored, since creating a key path of a generic class takes longer than reading the rows.
  let rowsPath = \ListModel.rows
  let statesPath = \ListModel.states
  private let pagePath = \ListModel.page
  let freshnessPath = \ListModel.freshness
  let newRowsPath = \ListModel.newRows
  private let recognizedPath = \ListModel.recognized
  private let duplicatesPath = \ListModel.duplicateCount
  private var lastPage: ListPage<Item>?
  private var countedDuplicates = 0
  var brain: ListBrain<Item>
  var shownFreshness = Freshness.nothing
  let probes = ProbeRun()
  /// Keeps the list on disk, if ``ListSettings/keeping`` is set.
  var keeper: ListKeeper?
  var template: Call
  var debounce = Debounce()
  var shown = ListSnapshot<Item>()
  /// The paging that ``Paging/automatic`` found; `nil` for other pagings, and until it is known.
  public var recognized: RecognizedPaging? {
    registrar.access(self, keyPath: recognizedPath)
    return traits.recognized
  }
  /// The traits of the server that earlier pages showed.
  var traits = ServerTraits() {
    willSet {
      if newValue.recognized != traits.recognized {
        registrar.willSet(self, keyPath: recognizedPath)
      }
    }
    didSet {
      if oldValue.recognized != traits.recognized {
        registrar.didSet(self, keyPath: recognizedPath)
      }
    }
  }
  /// The timings of the last request that ended, however it ended. While an observer is notified of the end of a load,
  /// they are those of its last request, also if its response could not be read or it was cancelled.
  public internal(set) var timings = HTTPResponse.Timings()
  var lastLoad = 0
  var loads: [Int: Load] = [:]
  var requests: [Int: RunningRequest] = [:]
  /// Events and outcomes that are not delivered yet, in order.
  var outbox = Outbox<Item>()
  var isDeliveryDue = false
  var waiters = DeliveryWaiters()
  let board = ListEventBoard<Item>()
  var ends = ReachedEnds()

  /// Creates a list with a custom reader.
  ///
  /// - Parameters:
  ///   - server: The service.
  ///   - call: The part that all requests share: address, parameters, method, headers, body.
  ///   - reader: Makes items from a response.
  ///   - paging: How pages are requested, and how the end is recognized.
  ///   - identity: How items are identified.
  ///   - page: The class of the page objects, to read more of a response than its rows.
  ///   - configure: Changes the settings.
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
        allowsOtherOrigins: settings.allowsOtherOrigins,
        acceptsUnreadableRows: settings.acceptsUnreadableRows, measure: settings.measure), paging)
    source.loader.version = settings.version
    source.loader.failures = settings.failures
    if let rules = settings.rules {
      source.loader.send = { call async throws(RequestError) in
        try await rules.validated(try await server.send(call), to: call)
      }
    }
    brain = ListBrain(first: paging.first, settings: settings)
    settings.keeping?.reportRefusal(of: call, on: server)
  }

  deinit {
    for request in requests.values { request.task.cancel() }
    for load in loads.values { load.finish(.cancelled(.ownerGone)) }
  }

  // MARK: - For subclasses

  /// Adds what all requests of a subclass share. Called for each request with a copy of the call, before
  /// the page is added to it. The default does nothing.
  open func prepare(_ call: inout Call) {}

  /// Called after the rows of a page have become visible. The default does nothing.
  open func didApply(_ page: ListPage<Item>) {}

  // MARK: - Request

  /// The part that all requests share, without the page. Setting it starts a new list: loads end with
  /// ``RequestError/CancelReason/superseded``, and the rows are removed. See ``ListSettings/debounce``.
  public var call: Call {
    get { template }
    set {
      template = newValue
      debounce.changed(at: server.configuration.time.now(), waiting: settings.debounce)
      reset()
    }
  }

  /// The parameters of ``call``. A change starts a new list.
  public var params: Params {
    get { template.params }
    set { if newValue != template.params { call.params = newValue } }
  }

  /// Starts a new list: loads end with ``RequestError/CancelReason/superseded``, the rows are removed,
  /// and the traits of the server are forgotten. ``rows`` are empty when the call returns; observers are notified in
  /// a later turn, as of an edit.
  public func reset() {
    (page, traits, duplicateCount, keeper) = (nil, ServerTraits(), 0, nil)
    source.dropAhead()
    showAtOnce(decide { $0.reset(first: paging.first) })
  }

  // MARK: - Rows

  /// The visible rows. A copy is free and never changes.
  public var rows: ListSnapshot<Item> {
    registrar.access(self, keyPath: rowsPath)
    return shown
  }

  /// The age of the rows, as far as it is known. It changes together with them.
  public var freshness: Freshness {
    registrar.access(self, keyPath: freshnessPath)
    return shownFreshness
  }

  /// What can be claimed of the rows, although the list may change while its pages are loaded. Before both ends of
  /// the list are reached, it speaks of the rows between the first and the last one.
  public var consistency: Consistency { states.consistency.without(settings.distrusts) }

  // MARK: - States

  /// Whether a first page has ever been loaded.
  public var hasLoaded: Bool { states.hasLoaded }
  /// The state of the first load, a refresh or a jump.
  public var refreshState: LoadState { states.listState }
  /// The state of the load that reads all pages again; see ``RefreshMode/deep``.
  public var deepRefreshState: LoadState { states.deepState }
  /// The state of the loads at one side.
  public func state(of side: ListSide) -> LoadState { states.state(of: side) }
  /// The number of responses that were dropped because no load waited for them any more.
  package var discardedResponses: Int { states.discardedResponses }

  var states: PageMachine { observed { $0.machine } }

  func observed<Value>(_ read: (borrowing ListBrain<Item>) -> Value) -> Value {
    registrar.access(self, keyPath: statesPath)
    return read(brain)
  }

  // MARK: - Observers

  /// The events from now on, for any number of consumers.
  public var events: ListEvents<Item> { ListEvents(board: board) }

  /// Notifies an object of each step before the delegate. It is held weakly.
  package func follow(_ follower: some ListObserver<Item>) { board.add(follower) }

  /// How items are identified.
  package var identity: ItemIdentity<Item> { source.loader.identity }
}
