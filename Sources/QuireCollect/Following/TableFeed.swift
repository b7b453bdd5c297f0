internal import ItemMapping
public import ListModel
internal import ListReading
internal import ServerAPI

extension LocalList where Item: Identifiable & SendableMetatype, Item.ID: Sendable {
  /// Creates a list of the rows of a collected table, and follows its commits.
  ///
  /// Rows are read off the main actor. The first ones show before the others are read. The table is read as long as the
  /// list exists; change the table, not the list.
  public convenience init(following table: CollectedTable<Item>) {
    self.init(identity: .id) { TableFeed(table, $0, identity: ItemIdentity<Item>.id) }
  }
}

/// Gives a list the changes of a table: looks when a sink of this process has stored a batch, and from time to time
/// while somebody observes the list.
@MainActor final class TableFeed<Item>: RowFeed {
  private let table: CollectedTable<Item>
  private weak var list: LocalList<Item>?
  private let reader: TableReader<Item>
  private var running: Task<Void, Never>?
  /// The look that begins after the running one.
  private var next: Task<Void, Never>?
  private var polling: Task<Void, Never>?
  private var commits: SinkCommits.Follower?

  init(_ table: CollectedTable<Item>, _ list: LocalList<Item>, identity: ItemIdentity<Item>) {
    (self.table, self.list) = (table, list)
    reader = TableReader(table, identity)
    commits = SinkCommits.Follower(table.path) { [weak self] in
      Task { @MainActor [weak self] in self?.look() }
    }
    table.add(self)
    look()
  }

  isolated deinit {
    polling?.cancel()
    // It notifies as long as it exists.
    withExtendedLifetime(commits) {}
  }

  func check() async { await look().value }

  func listWasReset() { look() }

  /// Looks from time to time until nobody observes the list.
  func listIsObserved() {
    guard polling == nil else { return }
    let (time, interval) = (table.time, table.interval)
    polling = Task { [weak self] in
      while true {
        do { try await time.sleep(interval) } catch { break }
        guard let self, self.list?.isObserved == true else { break }
        await self.check()
      }
      self?.polling = nil
    }
  }

  /// Begins a look that sees all that is committed now.
  @discardableResult private func look() -> Task<Void, Never> {
    if let next { return next }
    let before = running
    let task = Task { [weak self] in
      await before?.value
      guard let self else { return }
      (running, next) = (next, nil)
      await read()
    }
    next = task
    return task
  }

  private func read() async {
    var hasMore = true
    while hasMore {
      guard let list else { return }
      let look = await reader.look(restarts: !list.isAsFollowed)
      // Meanwhile, the program may have changed the rows.
      guard look.rows.restarts || list.isAsFollowed else { continue }
      hasMore = look.hasMore
      if look.isRead, !look.rows.isEmpty || !list.hasLoaded { list.follow(look.rows) }
      table.set(look.failure)
      if let report = look.report, !report.isClean { table.set(report) }
    }
  }
}
