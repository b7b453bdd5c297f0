/// A key as the database stores it.
struct CacheRowKey: Hashable {
  var digest: [UInt8]
  var partition: String

  init(digest: [UInt8], partition: String) {
    (self.digest, self.partition) = (digest, partition)
  }

  init(_ key: CacheKey, salt: [UInt8]) {
    self.init(digest: CacheFilter.digest(key, salt: salt), partition: key.partition)
  }

  /// Returns the checksum of a row of this key, as an integer of the database.
  func checksum(
    _ variant: String, head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer
  ) -> Int {
    var sum = RowChecksum()
    sum.add(digest)
    sum.add(partition)
    sum.add(variant)
    sum.add(head)
    sum.add(body)
    return Int(truncatingIfNeeded: sum.value)
  }
}

/// The rows of a key.
struct FoundRows {
  var entries: [CacheEntry] = []
  /// Rows whose last use is before this minute.
  var outdatedUses: [Int] = []
  /// Damaged rows.
  var broken: [Int] = []
}

/// A row without its body.
struct ListedRow {
  var id: Int
  var rowKey: CacheRowKey
  var space: CacheKey.Space
  var address: String
  var variant: String
  var bytes: Int
  var used: Int
  var head: EntryHead
}

extension SQLiteConnection {
  /// Returns the entries of a key for which `isVisible` returns `true`.
  func entries(
    _ key: CacheKey, _ facts: KeyMemo.Facts, minute: Int,
    isVisible: (_ variant: String, _ receivedAt: Double) -> Bool
  ) throws(SQLiteFailure) -> FoundRows {
    let statement = try statement(.entries)
    defer { statement.reset() }
    let rowKey = facts.rowKey
    statement.bind(1, rowKey.digest)
    statement.bind(2, rowKey.partition)
    var found = FoundRows()
    while try statement.step() {
      let (id, variant) = (statement.number(0), statement.text(1))
      guard isVisible(variant, statement.double(2)) else { continue }
      let (head, body) = (statement.bytes(5), statement.bytes(6))
      guard statement.number(4) == rowKey.checksum(variant, head: head, body: body),
        let row = EntryHead(Array(head)),
        let content = row.content(facts.url, body: ResponseBody(body))
      else {
        found.broken.append(id)
        continue
      }
      found.entries.append(CacheEntry(key: key, variant: variant, content: content))
      if statement.number(3) < minute { found.outdatedUses.append(id) }
    }
    return found
  }

  /// Returns the rows that pass a filter, newest first.
  func rows(_ filter: CacheFilter) throws(SQLiteFailure) -> [ListedRow] {
    let statement = try prepare(
      """
      SELECT id, digest, partition, space, address, variant, bytes, used, head FROM entry
      \(filter.condition) ORDER BY received DESC, id DESC
      """)
    filter.bind(to: statement)
    var rows: [ListedRow] = []
    while try statement.step() {
      guard let space = CacheKey.Space(rawValue: statement.text(3)),
        let head = EntryHead(Array(statement.bytes(8)))
      else { continue }
      let rowKey = CacheRowKey(digest: Array(statement.bytes(1)), partition: statement.text(2))
      rows.append(
        ListedRow(
          id: statement.number(0), rowKey: rowKey, space: space, address: statement.text(4),
          variant: statement.text(5), bytes: statement.number(6), used: statement.number(7),
          head: head))
    }
    return rows
  }
}
