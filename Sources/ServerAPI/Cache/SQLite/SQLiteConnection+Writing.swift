/// What one transaction is to do.
struct CacheBatch {
  var tasks: [CacheQueue.Task] = []
  /// Rows that were used, with the minute.
  var used: [Int: Int] = [:]
  /// Rows that may not be whole.
  var suspects: Set<Int> = []

  var isEmpty: Bool { tasks.isEmpty && used.isEmpty && suspects.isEmpty }

  /// The same without what takes room.
  var withoutEntries: CacheBatch {
    var batch = self
    batch.tasks.removeAll { if case .put = $0 { true } else { false } }
    return batch
  }
}

extension SQLiteConnection {
  /// Writes everything or nothing, and makes room where it became too much. Returns the addresses of
  /// rows that were dropped because they were not whole.
  func write(
    _ batch: CacheBatch, salt: [UInt8], minute: Int, maximumBytes: Int
  ) throws(SQLiteFailure) -> [String] {
    try transaction { () throws(SQLiteFailure) in
      var total = try total()
      let before = total
      // First of all, since an id may get another row once its own is gone.
      var broken: [String] = []
      for id in batch.suspects {
        guard let address = try addressIfBroken(id) else { continue }
        broken.append(address)
        total -= try drop(id)
      }
      for (id, minute) in batch.used { try use(id, minute) }
      for task in batch.tasks {
        switch task {
        case .put(let entry): total += try put(entry, salt: salt, minute: minute, maximumBytes)
        case .remove(let selection): total -= try remove(CacheFilter(selection, salt: salt))
        }
      }
      // A clock that was ahead would keep what was used then for good.
      if total > maximumBytes { try useNoLater(than: minute) }
      while total > maximumBytes {
        let worst = try leastUsed()
        if worst.isEmpty { total = 0 }
        for id in worst where total > maximumBytes { total -= try drop(id) }
      }
      if total != before { try setTotal(total) }
      return broken
    }
  }

  /// Gives space back to the system where much of the file is not used.
  func shrink(maximumBytes: Int) throws(SQLiteFailure) {
    let free = try number("PRAGMA freelist_count") * number("PRAGMA page_size")
    guard free > max(1 << 20, maximumBytes / 8) else { return }
    let statement = try prepare("PRAGMA incremental_vacuum(1024)")
    try statement.run()
  }

  /// Returns how much more there is.
  private func put(
    _ entry: CacheEntry, salt: [UInt8], minute: Int, _ maximumBytes: Int
  ) throws(SQLiteFailure) -> Int {
    let place = CacheRowKey(entry.key, salt: salt)
    var change = -(try takeOut(place, entry.variant))
    let head = EntryHead(entry).bytes
    let size = Self.size(of: entry, head: head.count)
    guard size <= min(maximumBytes / 8, Self.largestRow) else { return change }
    let statement = try statement(.putIn)
    defer { statement.reset() }
    statement.bind(1, place.digest)
    statement.bind(2, place.partition)
    statement.bind(3, entry.variant)
    statement.bind(4, entry.key.space.rawValue)
    statement.bind(5, CacheSelection.masked(entry.key.text))
    // What is not a number would be no value, which the row can't be without.
    let receivedAt = entry.content.receivedAt
    statement.bind(6, receivedAt.isNaN ? 0 : receivedAt)
    statement.bind(7, minute)
    statement.bind(8, size)
    statement.bind(10, head)
    entry.content.body.withUnsafeBytes { body in
      let checksum = head.withUnsafeBytes { place.checksum(entry.variant, head: $0, body: body) }
      statement.bind(9, checksum)
      statement.bind(11, body)
    }
    try statement.run()
    change += size
    change -= try dropOldest(place)
    return change
  }

  /// The database itself has a bound, which one entry must not make all others run into.
  private static let largestRow = 256 << 20

  /// What a row takes in the file: its share of a page, or pages of its own.
  private static func size(of entry: CacheEntry, head: Int) -> Int {
    let texts = entry.key.text.utf8.count + 2 * (entry.key.partition + entry.variant).utf8.count
    let content = 256 + head + entry.content.body.count + texts
    let page = CacheSchema.pageSize
    return content < page ? page / (page / content) : (content + page - 1) / page * page
  }

  private func takeOut(_ place: CacheRowKey, _ variant: String) throws(SQLiteFailure) -> Int {
    let statement = try statement(.takeOut)
    defer { statement.reset() }
    statement.bind(1, place.digest)
    statement.bind(2, place.partition)
    statement.bind(3, variant)
    return try sum(statement)
  }

  private func remove(_ filter: CacheFilter) throws(SQLiteFailure) -> Int {
    let statement = try prepare("DELETE FROM entry \(filter.condition) RETURNING bytes")
    filter.bind(to: statement)
    return try sum(statement)
  }

  /// Makes the oldest variant give way where there are too many.
  private func dropOldest(_ place: CacheRowKey) throws(SQLiteFailure) -> Int {
    let statement = try statement(.countVariants)
    defer { statement.reset() }
    statement.bind(1, place.digest)
    statement.bind(2, place.partition)
    guard try statement.step(), statement.number(0) > SQLiteCacheStore.maximumVariants else {
      return 0
    }
    return try drop(statement.number(1))
  }

  private func drop(_ id: Int) throws(SQLiteFailure) -> Int {
    let statement = try statement(.drop)
    defer { statement.reset() }
    statement.bind(1, id)
    return try sum(statement)
  }

  private func use(_ id: Int, _ minute: Int) throws(SQLiteFailure) {
    let statement = try statement(.use)
    defer { statement.reset() }
    statement.bind(1, id)
    statement.bind(2, minute)
    try statement.run()
  }

  private func useNoLater(than minute: Int) throws(SQLiteFailure) {
    let statement = try statement(.useNoLater)
    defer { statement.reset() }
    statement.bind(1, minute)
    try statement.run()
  }

  private func leastUsed() throws(SQLiteFailure) -> [Int] {
    let statement = try statement(.leastUsed)
    defer { statement.reset() }
    var ids: [Int] = []
    while try statement.step() { ids.append(statement.number(0)) }
    return ids
  }

  private func total() throws(SQLiteFailure) -> Int {
    let statement = try statement(.total)
    defer { statement.reset() }
    return try statement.step() ? statement.number(0) : 0
  }

  private func setTotal(_ total: Int) throws(SQLiteFailure) {
    let statement = try statement(.setTotal)
    defer { statement.reset() }
    statement.bind(1, max(0, total))
    try statement.run()
  }

  private func sum(_ statement: SQLiteStatement) throws(SQLiteFailure) -> Int {
    var sum = 0
    while try statement.step() { sum += statement.number(0) }
    return sum
  }

  /// The address of a row that is not whole; it may be another row than the one that was read.
  private func addressIfBroken(_ id: Int) throws(SQLiteFailure) -> String? {
    let statement = try prepare(
      "SELECT digest, partition, variant, checksum, head, body, address FROM entry WHERE id = ?1")
    statement.bind(1, id)
    guard try statement.step() else { return nil }
    let place = CacheRowKey(digest: Array(statement.bytes(0)), partition: statement.text(1))
    let (head, body) = (statement.bytes(4), statement.bytes(5))
    let isWhole =
      statement.number(3) == place.checksum(statement.text(2), head: head, body: body)
      && EntryHead(Array(head)) != nil
    return isWhole ? nil : statement.text(6)
  }
}
