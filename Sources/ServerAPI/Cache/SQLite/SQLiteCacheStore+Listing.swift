internal import Support

extension SQLiteCacheStore {
  /// What there is, the newest first. The size is what an entry takes in the file. Reads on another
  /// thread.
  @concurrent
  public func listings(_ selection: CacheSelection) async -> [CacheListing] {
    guard !isForked else { return [] }
    // Before the database is read: what is written meanwhile is then seen at least once.
    let (views, sweeps, uses) = writer.desk.withLock { desk in
      (
        desk.queue.keys.map { ($0, desk.queue.view($0)) }, desk.queue.waitingSweeps, desk.uses
      )
    }
    let rows = read { connection, opened throws(SQLiteFailure) in
      (try connection.rows(CacheFilter(selection, salt: opened.salt)), opened.salt)
    }
    var listings: [CacheListing] = []
    if let (rows, salt) = rows {
      let filters = sweeps.map { CacheFilter($0, salt: salt) }
      let places = Dictionary(
        views.map { (RowPlace($0, salt: salt), $1) }, uniquingKeysWith: { $1 })
      for row in rows where !filters.contains(where: { $0.includes(row) }) {
        let view = places[row.place] ?? nil
        guard view?.shows(variant: row.variant, receivedAt: row.head.receivedAt) ?? true,
          let listing = row.listing(usedAt: max(row.used, uses[row.id] ?? 0))
        else { continue }
        listings.append(listing)
      }
    }
    for (key, view) in views {
      let address = CacheSelection.masked(key.text)
      guard selection.includes(key, address: address) else { continue }
      for entry in view?.entries ?? [] {
        guard selection.includes(variant: entry.variant, receivedAt: entry.receivedAt) else {
          continue
        }
        listings.append(
          CacheListing(
            space: key.space, partition: key.partition, address: address, variant: entry.variant,
            content: entry.content.withoutBody, bytes: entry.bytesInMemory,
            usedAt: Double(writer.minute * 60)))
      }
    }
    return listings.sorted { $0.receivedAt > $1.receivedAt }
  }
}

extension ListedRow {
  fileprivate func listing(usedAt minute: Int) -> CacheListing? {
    guard let content = head.content(try? WebURL(address)) else { return nil }
    return CacheListing(
      space: space, partition: place.partition, address: address, variant: variant,
      content: content, bytes: bytes, usedAt: Double(minute * 60))
  }
}
