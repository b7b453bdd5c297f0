/// What a key is to the database.
struct CacheRowKey: Hashable {
  var digest: [UInt8]
  var partition: String

  init(digest: [UInt8], partition: String) {
    (self.digest, self.partition) = (digest, partition)
  }

  init(_ key: CacheKey, salt: [UInt8]) {
    self.init(digest: CacheFilter.digest(key, salt: salt), partition: key.partition)
  }

  /// The checksum of a row that stands here, as a number that the database can keep.
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

/// What was found under a key.
struct FoundRows {
  var entries: [CacheEntry] = []
  /// Rows that were last used before this minute.
  var stale: [Int] = []
  /// Rows that are not whole.
  var broken: [Int] = []
}

/// What a row says of itself, without its body.
struct ListedRow {
  var id: Int
  var place: CacheRowKey
  var space: CacheKey.Space
  var address: String
  var variant: String
  var bytes: Int
  var used: Int
  var head: EntryHead
}

extension SQLiteConnection {
  /// The entries of a key that `isShown` lets through.
  func entries(
    _ key: CacheKey, _ facts: KeyMemo.Facts, minute: Int,
    isShown: (_ variant: String, _ receivedAt: Double) -> Bool
  ) throws(SQLiteFailure) -> FoundRows {
    let statement = try statement(.entries)
    defer { statement.reset() }
    let place = facts.place
    statement.bind(1, place.digest)
    statement.bind(2, place.partition)
    var found = FoundRows()
    while try statement.step() {
      let (id, variant) = (statement.number(0), statement.text(1))
      guard isShown(variant, statement.double(2)) else { continue }
      let (head, body) = (statement.bytes(5), statement.bytes(6))
      guard statement.number(4) == place.checksum(variant, head: head, body: body),
        let row = EntryHead(Array(head)),
        let content = row.content(facts.url, body: ResponseBody(body))
      else {
        found.broken.append(id)
        continue
      }
      found.entries.append(CacheEntry(key: key, variant: variant, content: content))
      if statement.number(3) < minute { found.stale.append(id) }
    }
    return found
  }

  /// What there is, the newest first.
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
      let place = CacheRowKey(digest: Array(statement.bytes(1)), partition: statement.text(2))
      rows.append(
        ListedRow(
          id: statement.number(0), place: place, space: space, address: statement.text(4),
          variant: statement.text(5), bytes: statement.number(6), used: statement.number(7),
          head: head))
    }
    return rows
  }
}
