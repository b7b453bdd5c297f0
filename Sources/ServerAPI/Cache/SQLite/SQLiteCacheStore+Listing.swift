#if SQLITE
  internal import SQLiteFile
  internal import Support

  extension SQLiteCacheStore {
    /// Lists the selected entries, newest first. The size is the one in the file. Reads on another thread.
    @concurrent
    package func listings(_ selection: CacheSelection) async -> [CacheEntry.Listing] {
      guard !isForked else { return [] }
      // Before reading the database: an entry that is written in between is then seen at least once.
      let (views, sweeps, uses) = writer.pending.withLock { pending in
        (
          pending.queue.keys.map { ($0, pending.queue.view($0)) }, pending.queue.pendingSweeps,
          pending.uses
        )
      }
      let rows = read { connection, opened throws(SQLiteFailure) in
        (try connection.rows(CacheFilter(selection, salt: opened.salt)), opened.salt)
      }
      var listings: [CacheEntry.Listing] = []
      if let (rows, salt) = rows {
        let filters = sweeps.map { CacheFilter($0, salt: salt) }
        let viewOfKey = Dictionary(
          views.map { (CacheRowKey($0, salt: salt), $1) }, uniquingKeysWith: { $1 })
        for row in rows where !filters.contains(where: { $0.includes(row) }) {
          let view = viewOfKey[row.rowKey] ?? nil
          guard view?.isVisible(variant: row.variant, receivedAt: row.head.receivedAt) ?? true,
            let listing = row.listing(usedAt: max(row.used, uses[row.id] ?? 0))
          else { continue }
          listings.append(listing)
        }
      }
      for (key, view) in views {
        let address = CacheSelection.masked(key.text)
        guard selection.includes(key, address: address) else { continue }
        for entry in view?.entries ?? [] {
          guard selection.includes(variant: entry.variant, receivedAt: entry.content.receivedAt)
          else {
            continue
          }
          listings.append(
            CacheEntry.Listing(
              entry, address: address, bytes: entry.bytesInMemory,
              usedAt: Double(writer.minute * 60)))
        }
      }
      return listings.sorted { $0.entry.receivedAt > $1.entry.receivedAt }
    }
  }

  extension ListedRow {
    fileprivate func listing(usedAt minute: Int) -> CacheEntry.Listing? {
      guard let content = head.content(try? WebURL(address)) else { return nil }
      let key = CacheKey(space, partition: rowKey.partition, address)
      return CacheEntry.Listing(
        CacheEntry(key: key, variant: variant, content: content), address: address, bytes: bytes,
        usedAt: Double(minute * 60))
    }
  }
#endif
