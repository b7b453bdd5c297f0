public import ItemMapping
internal import ListModel
public import Observation
public import ServerAPI

/// A table that rows are collected into, as items for a screen.
///
/// ```swift
/// let table = CollectedTable<Book>("books.db", "books", sortedBy: "title")
/// let books = LocalList(following: table)
/// let screen = ListController(books)
/// ```
///
/// The rows come from the database alone, so the program that collects may be this one or another. Rows that are gone
/// are left out.
///
/// - Order: by a column, as SQLite compares values with the collation `BINARY`; without one, and for equal values, in
///   the order in which rows were stored.
/// - Changes: a commit shows as the exact `ListChange`. Only rows that it changes are read and decoded. A batch of a
///   ``Collector`` in this process shows at once. For other processes the database is looked at from time to time, as
///   long as a screen or a loop over events observes the list. ``check()`` looks at once.
/// - Another program: if one changes the table that does not collect, all rows are read again, and only those that
///   differ are decoded. If a batch was stored between the same two looks, this is found with its next change.
/// - Children: the table of a child has the rows of all lists. Of two rows whose items have one id, the second one shows
///   once the first one is gone.
/// - Failures: ``failure`` says why the table can't be read. The list keeps its rows, and each look tries again.
@MainActor public final class CollectedTable<Item>: Observable {
  let path: String
  let name: String
  let column: String?
  let descending: Bool
  let interval: Duration
  let time: TimeSource
  let reader: PageReader<Item>
  private let registrar = ObservationRegistrar()
  private var shown: (failure: CollectError?, report: MappingReport?)
  private var feeds: [WeakFeed] = []

  private struct WeakFeed {
    weak var feed: TableFeed<Item>?
  }

  /// Describes a table. Opens nothing.
  ///
  /// - Parameters:
  ///   - path: The file of the database.
  ///   - name: The name of the table.
  ///   - column: The column that orders the rows.
  ///   - descending: Whether the largest value comes first.
  ///   - interval: The time between two looks for commits of other processes.
  ///   - time: The clock.
  public convenience init(
    _ path: String, _ name: String, sortedBy column: String? = nil, descending: Bool = false,
    every interval: Duration = .seconds(1), time: TimeSource = .system
  ) where Item: JSONValue {
    self.init(path, name, column, descending, interval, time, .items())
  }

  /// Describes a table of `Decodable` items. Opens nothing.
  ///
  /// - Parameters:
  ///   - path: The file of the database.
  ///   - name: The name of the table.
  ///   - column: The column that orders the rows.
  ///   - descending: Whether the largest value comes first.
  ///   - interval: The time between two looks for commits of other processes.
  ///   - time: The clock.
  ///   - decoder: The formats of dates, data and other values.
  public convenience init(
    _ path: String, _ name: String, sortedBy column: String? = nil, descending: Bool = false,
    every interval: Duration = .seconds(1), time: TimeSource = .system, decoder: ItemDecoder = ItemDecoder()
  ) where Item: Decodable & SendableMetatype {
    self.init(path, name, column, descending, interval, time, .decodables(decoder: decoder))
  }

  private init(
    _ path: String, _ name: String, _ column: String?, _ descending: Bool, _ interval: Duration, _ time: TimeSource,
    _ reader: PageReader<Item>
  ) {
    (self.path, self.name, self.column, self.descending) = (path, name, column, descending)
    (self.interval, self.time, self.reader) = (interval, time, reader)
  }

  /// Why the table could not be read when it was looked at last; `nil` if it was read.
  public var failure: CollectError? {
    registrar.access(self, keyPath: \.failure)
    return shown.failure
  }

  /// What was wrong with rows that were decoded, when something last was. Rows that can't be decoded are not in the
  /// list.
  public var report: MappingReport? {
    registrar.access(self, keyPath: \.report)
    return shown.report
  }

  /// Looks for commits now. Returns once the lists that follow the table have them.
  public func check() async {
    for feed in feeds.compactMap(\.feed) { await feed.check() }
  }

  func add(_ feed: TableFeed<Item>) {
    feeds.removeAll { $0.feed == nil }
    feeds.append(WeakFeed(feed: feed))
  }

  func set(_ failure: CollectError?) {
    guard failure != shown.failure else { return }
    registrar.withMutation(of: self, keyPath: \.failure) { shown.failure = failure }
  }

  func set(_ report: MappingReport?) {
    registrar.withMutation(of: self, keyPath: \.report) { shown.report = report }
  }
}
