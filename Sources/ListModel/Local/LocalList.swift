public import ListReading
public import Observation
internal import Support

/// A list of rows that the program has itself: an array, or what it keeps in an observable store.
///
/// ```swift
/// let books = LocalList(savedBooks)
/// let screen = ListController(books)
/// books.append(book)
/// try books.edit(.remove("dune"))
/// books.items = try await fetchBooks()     // observers get the exact difference
/// ```
///
/// A screen shows it like a ``ListModel``, with the same cells, sections, actions and placeholders. It loads
/// nothing itself; `ListController.Settings` has handlers for pulling down and up.
///
/// - Rows: a row is in the list once, by its id. A later item with the same id is left out and reported in
///   ``repeatedIDs``.
/// - Order: ``rows`` has a change when the call returns. Observers, such as loops over ``events``, are notified in
///   a later turn, so that no callback runs inside a call of the program; ``eventsDelivered()`` waits for that.
///   While an observer is notified, ``rows`` are those right after its change.
/// - Cost: appending a page costs as much as its rows; setting ``items`` compares all of them.
@MainActor public final class LocalList<Item>: Observable {
  package let identity: ItemIdentity<Item>
  package internal(set) var hasLoaded: Bool
  /// The number of resets. Loads of the program that began before the last one are dropped.
  package internal(set) var resets = 0
  var store = ListStore<Item>(isSame: ItemSameness.isSame)
  var shown = ListSnapshot<Item>()
  var repeated: [RowID] = []
  var outbox = Outbox<Item>()
  var isDeliveryDue = false
  var isDelivering = false
  var waiters = DeliveryWaiters()
  let board = ListEventBoard<Item>()
  let registrar = ObservationRegistrar()
  /// Reads the items from a store.
  var source: (@MainActor () -> [Item])?
  /// Reads the rows, if they are not the program's own.
  var feed: (any RowFeed)?
  /// The rows as the feed has left them.
  var followed = ListSnapshot<Item>()
  /// Whether the store has changed since it was read.
  nonisolated let isBehind = Lock(false)
  // Stored, since creating a key path of a generic class takes longer than reading the rows.
  let rowsPath = \LocalList.rows
  private let repeatedPath = \LocalList.repeatedIDs

  /// Creates a list without rows, which counts as not loaded until ``items`` is set.
  public init(identity: ItemIdentity<Item>) {
    self.identity = identity
    hasLoaded = false
  }

  /// Creates a list of items.
  public init(_ items: some Sequence<Item>, identity: ItemIdentity<Item>) {
    self.identity = identity
    hasLoaded = true
    self.items = Array(items)
    begin()
  }

  /// Creates a list of the items that a closure reads from an observable store. When they change there, the
  /// list follows in a later turn.
  ///
  /// ```swift
  /// let favorites = LocalList { library.books.filter(\.isFavorite) }
  /// ```
  ///
  /// Change the store, not the list: its next change replaces what was changed here. The closure is retained as
  /// long as the list.
  ///
  /// Change the store on the main actor; the compiler sees to that for a `@MainActor` store. One that is `Sendable`
  /// by a lock of its own can be changed on another thread. Observation says that a property is about to change,
  /// not that it has, so the list may then read it too early, and gets the change only with the next one. Make
  /// such a change in `MainActor.run`.
  public convenience init(
    identity: ItemIdentity<Item>, following items: @escaping @MainActor () -> [Item]
  ) {
    self.init([], identity: identity)
    source = items
    readSource()
    begin()
  }

  /// Ends the creation of the rows, which nobody observes yet.
  private func begin() {
    while outbox.next() != nil {}
  }

  // MARK: - Rows

  /// The rows. A copy is free and never changes.
  public var rows: ListSnapshot<Item> {
    registrar.access(self, keyPath: rowsPath)
    return shown
  }

  /// The items in order. Setting them keeps the rows that stay, by their ids.
  public var items: [Item] {
    get { Array(rows.items) }
    set { change { replace(with: newValue) } }
  }

  /// The ids of items that were left out because a row before them has the same id, since ``items`` were last
  /// set.
  public internal(set) var repeatedIDs: [RowID] {
    get {
      registrar.access(self, keyPath: repeatedPath)
      return repeated
    }
    set { registrar.withMutation(of: self, keyPath: repeatedPath) { repeated = newValue } }
  }

  /// Returns the position in ``rows`` of the row with this id; `nil` if there is none.
  public func position(of id: RowID) -> Int? {
    let rows = rows
    if let page = store.place(of: id)?.page.page.id, let place = rows.tree.place(of: page),
      let row = place.page.ids?.firstIndex(of: id)
    {
      return place.before.rows + row
    }
    // While a change is delivered, there are later ones, in other pages.
    guard !outbox.isEmpty else { return nil }
    var before = 0
    for page in PageSequence(rows.tree) {
      if let row = page.ids?.firstIndex(of: id) { return before + row }
      before += page.count
    }
    return nil
  }
}

extension LocalList where Item: Identifiable & SendableMetatype, Item.ID: Sendable {
  /// Creates a list without rows, which counts as not loaded until ``items`` is set.
  public convenience init() { self.init(identity: .id) }

  /// Creates a list of items.
  public convenience init(_ items: some Sequence<Item>) { self.init(items, identity: .id) }

  /// Creates a list of the items that a closure reads from an observable store. See
  /// ``init(identity:following:)``.
  public convenience init(following items: @escaping @MainActor () -> [Item]) {
    self.init(identity: .id, following: items)
  }
}

extension LocalList {
  /// The events from now on, for any number of consumers: ``ListEvent/didChange(_:)`` and
  /// ``ListEvent/didReset``, with the rows after each.
  ///
  /// ```swift
  /// for await step in books.events {
  ///   if case .didChange(let change) = step.event { table.apply(change, to: step.rows) }
  /// }
  /// ```
  public var events: ListEvents<Item> { ListEvents(board: board) }

  /// Waits until observers are notified of all changes so far, also of those in the store that the list follows.
  public func eventsDelivered() async {
    await feed?.check()
    catchUp()
    guard !outbox.isEmpty else { return }
    let step = outbox.added
    await withCheckedContinuation { waiters.add($0, until: step) }
  }

  func deliverSoon() {
    guard !outbox.isEmpty, !isDeliveryDue else { return }
    isDeliveryDue = true
    Task { [weak self] in
      self?.isDeliveryDue = false
      self?.deliver()
    }
  }

  /// Delivers everything that waits now. What that causes is delivered in a later turn.
  private func deliver() {
    isDelivering = true
    for _ in 0..<outbox.count {
      guard case .event(let event)? = outbox.next() else { continue }
      board.notify((event: event, rows: outbox.delivered.rows)) {
        show(outbox.delivered.rows)
      }
    }
    isDelivering = false
    show(outbox.shown.rows)
    deliverSoon()
    waiters.resume(after: outbox.done)
  }

  func show(_ rows: ListSnapshot<Item>) {
    guard !rows.isSame(as: shown) else { return }
    registrar.withMutation(of: self, keyPath: rowsPath) { shown = rows }
  }

  // MARK: - Following a store

  func readSource() { if source != nil { items = itemsOfSource() } }

  /// Reads the store, and follows it until its next change.
  func itemsOfSource() -> [Item] {
    guard let source else { return [] }
    return withObservationTracking(source) { [weak self] in
      self?.isBehind.withLock { $0 = true }
      // The store is about to change, and may be in the middle of it.
      Task { @MainActor [weak self] in self?.catchUp() }
    }
  }

  /// Reads the store again if it has changed since it was read.
  private func catchUp() {
    let wasBehind = isBehind.withLock { isBehind in
      defer { isBehind = false }
      return isBehind
    }
    if wasBehind { readSource() }
  }
}

extension LocalList: RowSource {
  package var deliveredRows: ListSnapshot<Item> { outbox.delivered.rows }
  package var freshness: Freshness { .nothing }
  package var refreshState: LoadState { .idle }
  package var isReloading: Bool { false }
  package func state(of side: ListSide) -> LoadState { .reachedEnd(.complete) }
  package func rowsWillAppear(_ rows: Range<Int>, prefetches: Bool) {}
  package func follow(_ follower: some ListObserver<Item>) { board.add(follower) }
  package func deliverChanges() { if !isDelivering { deliver() } }
}
