#if SQLITE
  internal import SQLiteFile

  /// The work of one transaction.
  struct CacheBatch {
    var tasks: [CacheQueue.Task] = []
    /// The ids of read rows, with the minute of their last use.
    var used: [Int: Int] = [:]
    /// Rows that may be damaged.
    var suspects: Set<Int> = []

    var isEmpty: Bool { tasks.isEmpty && used.isEmpty && suspects.isEmpty }

    /// The batch without new entries.
    var withoutEntries: CacheBatch {
      var batch = self
      batch.tasks.removeAll { if case .put = $0 { true } else { false } }
      return batch
    }
  }

  extension SQLiteConnection {
    /// Writes everything or nothing, and evicts entries beyond the maximum size. Returns the addresses of damaged
    /// rows that were dropped.
    func write(
      _ batch: CacheBatch, salt: [UInt8], minute: Int, maximumBytes: Int
    ) throws(SQLiteFailure) -> [String] {
      try transaction { () throws(SQLiteFailure) in
        var total = try total()
        let before = total
        // First, because an id may be reused once its row is deleted.
        var broken: [String] = []
        for id in batch.suspects {
          guard let address = try addressIfBroken(id) else { continue }
          broken.append(address)
          total -= try deleteRow(id)
        }
        for (id, minute) in batch.used { try recordUse(id, minute) }
        for task in batch.tasks {
          switch task {
          case .put(let entry): total += try put(entry, salt: salt, minute: minute, maximumBytes)
          case .remove(let selection): total -= try remove(CacheFilter(selection, salt: salt))
          }
        }
        // Entries used while the clock was ahead would otherwise never be evicted.
        if total > maximumBytes { try clampUses(to: minute) }
        while total > maximumBytes {
          let worst = try leastUsed()
          if worst.isEmpty { total = 0 }
          for id in worst where total > maximumBytes { total -= try deleteRow(id) }
        }
        if total != before { try setTotal(total) }
        return broken
      }
    }

    /// Returns space to the system if much of the file is unused.
    func shrink(maximumBytes: Int) throws(SQLiteFailure) {
      let free = try number("PRAGMA freelist_count") * number("PRAGMA page_size")
      guard free > max(1 << 20, maximumBytes / 8) else { return }
      let statement = try prepare("PRAGMA incremental_vacuum(1024)")
      try statement.run()
    }

    /// Writes an entry. Returns the change of the total size.
    private func put(
      _ entry: CacheEntry, salt: [UInt8], minute: Int, _ maximumBytes: Int
    ) throws(SQLiteFailure) -> Int {
      let rowKey = CacheRowKey(entry.key, salt: salt)
      var change = -(try delete(rowKey, entry.variant))
      let head = EntryHead(entry).bytes
      let size = Self.size(of: entry, head: head.count)
      guard size <= min(maximumBytes / 8, Self.largestRow) else { return change }
      let statement = try statement(.insert)
      defer { statement.reset() }
      statement.bind(1, rowKey.digest)
      statement.bind(2, rowKey.partition)
      statement.bind(3, entry.variant)
      statement.bind(4, entry.key.space.rawValue)
      statement.bind(5, CacheSelection.masked(entry.key.text))
      // SQLite stores NaN as NULL, which the column does not allow.
      let receivedAt = entry.content.receivedAt
      statement.bind(6, receivedAt.isNaN ? 0 : receivedAt)
      statement.bind(7, minute)
      statement.bind(8, size)
      statement.bind(10, head)
      entry.content.body.withUnsafeBytes { body in
        let checksum = head.withUnsafeBytes { rowKey.checksum(entry.variant, head: $0, body: body) }
        statement.bind(9, checksum)
        statement.bind(11, body)
      }
      try statement.run()
      change += size
      change -= try evictOldest(rowKey)
      return change
    }

    /// The maximum size of an entry: SQLite limits the size of a row.
    private static let largestRow = 256 << 20

    /// Returns the size of a row in the file: its share of a page, or pages of its own.
    private static func size(of entry: CacheEntry, head: Int) -> Int {
      let texts = entry.key.text.utf8.count + 2 * (entry.key.partition + entry.variant).utf8.count
      let content = 256 + head + entry.content.body.count + texts
      let page = CacheSchema.pageSize
      return content < page ? page / (page / content) : (content + page - 1) / page * page
    }

    private func delete(_ rowKey: CacheRowKey, _ variant: String) throws(SQLiteFailure) -> Int {
      let statement = try statement(.delete)
      defer { statement.reset() }
      statement.bind(1, rowKey.digest)
      statement.bind(2, rowKey.partition)
      statement.bind(3, variant)
      return try sum(statement)
    }

    private func remove(_ filter: CacheFilter) throws(SQLiteFailure) -> Int {
      let statement = try prepare("DELETE FROM entry \(filter.condition) RETURNING bytes")
      filter.bind(to: statement)
      return try sum(statement)
    }

    /// Evicts the oldest variant if there are too many.
    private func evictOldest(_ rowKey: CacheRowKey) throws(SQLiteFailure) -> Int {
      let statement = try statement(.countVariants)
      defer { statement.reset() }
      statement.bind(1, rowKey.digest)
      statement.bind(2, rowKey.partition)
      guard try statement.step(), statement.number(0) > SQLiteCacheStore.maximumVariants else {
        return 0
      }
      return try deleteRow(statement.number(1))
    }

    private func deleteRow(_ id: Int) throws(SQLiteFailure) -> Int {
      let statement = try statement(.deleteRow)
      defer { statement.reset() }
      statement.bind(1, id)
      return try sum(statement)
    }

    private func recordUse(_ id: Int, _ minute: Int) throws(SQLiteFailure) {
      let statement = try statement(.recordUse)
      defer { statement.reset() }
      statement.bind(1, id)
      statement.bind(2, minute)
      try statement.run()
    }

    private func clampUses(to minute: Int) throws(SQLiteFailure) {
      let statement = try statement(.clampUses)
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

    /// Returns the address of a damaged row. The id may belong to another row by now.
    private func addressIfBroken(_ id: Int) throws(SQLiteFailure) -> String? {
      let statement = try prepare(
        "SELECT digest, partition, variant, checksum, head, body, address FROM entry WHERE id = ?1")
      statement.bind(1, id)
      guard try statement.step() else { return nil }
      let rowKey = CacheRowKey(digest: Array(statement.bytes(0)), partition: statement.text(1))
      let (head, body) = (statement.bytes(4), statement.bytes(5))
      let isWhole =
        statement.number(3) == rowKey.checksum(statement.text(2), head: head, body: body)
        && EntryHead(Array(head)) != nil
      return isWhole ? nil : statement.text(6)
    }
  }
#endif
