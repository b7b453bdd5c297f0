package import ListReading

/// The rows that a screen shows: those of a server (``ListModel``) or of the program (``LocalList``).
@MainActor package protocol RowSource<Item>: AnyObject {
  /// The items of the rows.
  associatedtype Item

  /// How items are identified.
  var identity: ItemIdentity<Item> { get }
  /// The rows right after the last event that was delivered.
  var deliveredRows: ListSnapshot<Item> { get }
  /// Whether there have ever been rows, or the knowledge that there are none.
  var hasLoaded: Bool { get }
  /// The number of resets that drop loads of the program.
  var resets: Int { get }
  /// The age of the rows, as far as it is known.
  var freshness: Freshness { get }
  /// The state of the first load, a refresh or a jump.
  var refreshState: LoadState { get }
  /// Whether pages of the server are about to replace all rows, now or after a restore.
  var isReloading: Bool { get }

  /// The state of the loads at one side.
  func state(of side: ListSide) -> LoadState
  /// Returns the position of the row with this id.
  func position(of id: RowID) -> Int?
  /// Handles rows that become visible.
  func rowsWillAppear(_ rows: Range<Int>, prefetches: Bool)
  /// Notifies an object of each step. It is held weakly.
  func follow(_ follower: some ListObserver<Item>)
  /// Notifies observers of all changes so far within the call, where that is possible.
  func deliverChanges()
  /// Waits until observers are notified of all events so far.
  func eventsDelivered() async
}

extension ListModel: RowSource {
  /// Zero: loads of the list itself are what its reset drops.
  package var resets: Int { 0 }

  package var isReloading: Bool { states.isReloading }

  /// Does nothing: a load that ends notifies observers itself.
  package func deliverChanges() {}
}
