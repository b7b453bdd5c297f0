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
/// - Order: ``rows`` has a change when the call returns. Observers are notified in a later turn, so that no
///   callback runs inside a call of the program; ``eventsDelivered()`` waits for that. While an observer is
///   notified, ``rows`` are those right after its change.
/// - Cost: appending a page costs as much as its rows; setting ``items`` compares all of them.
@MainActor public final class LocalList<Item>: Observable {
  /// The number of rows up to which single rows are appended to the same page.
  private static var pageSize: Int { 128 }

  package let identity: ItemIdentity<Item>
  package private(set) var hasLoaded: Bool
  private var store = ListStore<Item>(isSame: ItemSameness.isSame)
  private var shown = ListSnapshot<Item>()
  private var repeated: [RowID] = []
  private var outbox = Outbox<Item>()
  private var isDeliveryDue = false
  private var isDelivering = false
  private var waiters = DeliveryWaiters()
  private let board = ListEventBoard<Item>()
  private let registrar = ObservationRegistrar()
  /// Reads the items from a store.
  private var source: (@MainActor () -> [Item])?
  /// Whether the store has changed since it was read.
  private nonisolated let isBehind = Lock(false)
  // Stored, since creating a key path of a generic class takes longer than reading the rows.
  private let rowsPath = \LocalList.rows
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
  /// Change the store, not the list: its next change replaces what was changed here. Change it on the main actor;
  /// a change on another thread may be read before it is made. The closure is retained as long as the list.
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

  private func readSource() {
    guard let source else { return }
    items = withObservationTracking(source) { [weak self] in
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
  public private(set) var repeatedIDs: [RowID] {
    get {
      registrar.access(self, keyPath: repeatedPath)
      return repeated
    }
    set { registrar.withMutation(of: self, keyPath: repeatedPath) { repeated = newValue } }
  }

  /// Appends an item.
  public func append(_ item: Item) { append(contentsOf: CollectionOfOne(item)) }

  /// Appends items, such as those of a page.
  public func append(contentsOf items: some Sequence<Item>) {
    change { join(Array(items)) }
  }

  /// Changes a row.
  ///
  /// ```swift
  /// try books.edit(.update("dune", book))
  /// ```
  ///
  /// - Throws: The reason why the edit is impossible. The rows are unchanged then.
  public func edit(_ edit: ListEdit<Item>) throws(ListEditError) {
    guard let id = identity.id else { throw .noIdentity }
    if let item = edit.item, id(item) != edit.row {
      throw .differentID(id(item), expected: edit.row)
    }
    let made = try store.apply(edit)
    store.confirm(made.id)
    change { made.change }
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

  // MARK: - Changing

  private func replace(with items: [Item]) -> ListChange {
    let page = page(of: items)
    let merge = store.replace(with: page)
    let repeated = merge.duplicatesInPage == 0 ? [] : page.repeatedIDs
    if repeated != self.repeated { repeatedIDs = repeated }
    return merge.change
  }

  private func join(_ items: [Item]) -> ListChange {
    guard !items.isEmpty else { return ListChange() }
    if items.count == 1, let id = identity.id?(items[0]), !store.contains(id),
      let last = store.tree.last, last.count < Self.pageSize
    {
      let spot = RowSpot(page: last.id, after: last.ids?.last, index: last.count)
      return ListChange(
        inserted: store.insertRow(items[0], id: id, at: spot).map { [$0..<$0 + 1] } ?? [])
    }
    var joining = page(of: items)
    if let ids = joining.ids {
      var seen: Set<RowID> = []
      let isNew = ids.map { seen.insert($0).inserted && !store.contains($0) }
      if isNew.contains(false) {
        let noted = Set(repeated)
        var left: Set<RowID> = []
        repeatedIDs += zip(ids, isNew).filter { id, isNew in
          !isNew && !noted.contains(id) && left.insert(id).inserted
        }.map(\.0)
        joining = page(of: zip(items, isNew).filter(\.1).map(\.0))
      }
    }
    return joining.items.isEmpty ? ListChange() : store.join(joining, at: .next).change
  }

  private func page(of items: [Item]) -> PageRows<Item> {
    PageRows(key: PageKey(.start), items: items, ids: identity.id.map { items.map($0) })
  }

  private func change(_ body: () -> ListChange) {
    let isFirst = !hasLoaded
    hasLoaded = true
    let change = body()
    // That a list has loaded and is empty is news for a screen.
    guard !change.isEmpty || isFirst else { return }
    outbox.add([.notify(.didChange(change))], rows: store.snapshot)
    outbox.showEarly(Outbox.Shown(rows: store.snapshot))
    show(outbox.shown.rows)
    deliverSoon()
  }

  private func show(_ rows: ListSnapshot<Item>) {
    guard !rows.isSame(as: shown) else { return }
    registrar.withMutation(of: self, keyPath: rowsPath) { shown = rows }
  }

  // MARK: - Notifying

  /// Waits until observers are notified of all changes so far, also of those in the store that the list follows.
  public func eventsDelivered() async {
    catchUp()
    guard !outbox.isEmpty else { return }
    let step = outbox.added
    await withCheckedContinuation { waiters.add($0, until: step) }
  }

  private func deliverSoon() {
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
      board.notify(ListEvents.Step(event: event, rows: outbox.delivered.rows)) {
        show(outbox.delivered.rows)
      }
    }
    isDelivering = false
    show(outbox.shown.rows)
    deliverSoon()
    waiters.resume(after: outbox.done)
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

extension LocalList: RowSource {
  package var deliveredRows: ListSnapshot<Item> { outbox.delivered.rows }
  package var freshness: Freshness { .nothing }
  package var refreshState: LoadState { .idle }
  package func state(of side: ListSide) -> LoadState { .reachedEnd(.complete) }
  package func rowsWillAppear(_ rows: Range<Int>, prefetches: Bool) {}
  package func follow(_ follower: some ListObserver<Item>) { board.add(follower) }
  package func deliverChanges() { if !isDelivering { deliver() } }
}

extension ListEdit {
  /// The item that the edit brings.
  fileprivate var item: Item? {
    switch self {
    case .insert(let item, _, _), .update(_, let item): item
    case .remove, .move: nil
    }
  }
}

extension PageRows {
  /// The ids of rows that the page has already had, once for each of them.
  fileprivate var repeatedIDs: [RowID] {
    var seen: Set<RowID> = []
    return ids?.filter { !seen.insert($0).inserted } ?? []
  }
}
