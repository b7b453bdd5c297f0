#if SQLITE
  internal import ItemMapping
  internal import ListModel
  internal import ListReading
  internal import SQLiteFile
  internal import ServerAPI

  /// Reads the table that a list follows. It knows where each row is in the list, and has no items.
  actor TableReader<Item> {
    private let path: String
    private let name: String
    private let column: String?
    private let time: TimeSource
    private let decoder: RowDecoder<Item>
    private var rows: TableRows
    private var file: TableFile?
    /// The rows that are not read yet, while the table is read for the first time. The transaction is open.
    private var opening: SQLiteStatement?
    /// The rows that were read so far, and are not decoded.
    private var waiting: ArraySlice<TableRows.Row> = []
    /// Whether what was read last is not all that the table had.
    private var isBehind = true

    @MainActor init(_ table: CollectedTable<Item>, _ identity: ItemIdentity<Item>) {
      (path, name, column, time) = (table.path, table.name, table.column, table.time)
      decoder = RowDecoder(reader: table.reader, identity: identity)
      rows = TableRows(descending: table.descending)
    }

    /// Reads what has changed, or the next rows while the table is read for the first time.
    ///
    /// - Parameter restarts: Whether the list has none of the rows that it was given.
    func look(restarts: Bool) async -> sending TableLook<Item> {
      if restarts {
        close()
        rows = TableRows(descending: rows.order.descending)
      }
      var failure: CollectError?
      for attempt in 0... {
        do {
          return try step(restarts: restarts)
        } catch let error as SQLiteFailure {
          let isBusy = error.meaning == .busy
          close()
          failure = error.asError(path)
          guard isBusy, attempt < 40, (try? await time.sleep(.milliseconds(250))) != nil else { break }
        } catch {
          close()
          failure = error as? CollectError ?? .reading(name, "\(error)")
          break
        }
      }
      var look = TableLook<Item>()
      look.failure = failure
      return look
    }

    /// The next look begins with all rows.
    private func close() { (opening, file, waiting, isBehind) = (nil, nil, [], true) }

    private func step(restarts: Bool) throws -> sending TableLook<Item> {
      if opening != nil { try readRest() }
      if !waiting.isEmpty { return decodeNext(4_096, restarts) }
      if file?.isCurrent != true { close() }
      let file = try file ?? TableFile(path, name, column)
      self.file = file
      try file.database.run("BEGIN")
      let finding = try file.find()
      let look: TableLook<Item>
      switch finding {
      case .nothing where !isBehind: look = change([], [], restarts, isAtEnd: false)
      case .rows(let keys, let parents) where !isBehind: look = try readChanges(keys, parents, file, restarts)
      case .nothing, .rows, .anything:
        isBehind = true
        if rows.isEmpty {
          opening = try file.rows(orderedBy: rows.order.descending ? "DESC" : "ASC")
          return try readFirst(restarts)
        }
        look = try compare(file, restarts)
        isBehind = false
      }
      try file.database.run("COMMIT")
      return look
    }

    /// Reads the first rows in the order of the list, and all others without waiting for the main actor: a writer may
    /// wait for the transaction there.
    private func readFirst(_ restarts: Bool) throws -> sending TableLook<Item> {
      try read(100)
      guard opening != nil else { return decodeNext(100, restarts) }
      Task { [weak self] in await self?.readRestOrClose() }
      var look = decodeNext(100, restarts)
      look.hasMore = true
      return look
    }

    private func readRestOrClose() { do { try readRest() } catch { close() } }

    private func readRest() throws { try read(.max) }

    private func read(_ limit: Int) throws {
      guard let opening, let file else { return }
      while waiting.count < limit {
        guard try opening.step() else {
          opening.reset()
          self.opening = nil
          return try file.database.run("COMMIT")
        }
        waiting.append(TableFile.row(of: opening))
      }
    }

    private func decodeNext(_ limit: Int, _ restarts: Bool) -> sending TableLook<Item> {
      let next = Array(waiting.prefix(limit))
      waiting = waiting.dropFirst(limit)
      var look = change([], next, restarts, isAtEnd: true)
      isBehind = opening != nil || !waiting.isEmpty
      look.hasMore = isBehind
      return look
    }

    private func readChanges(
      _ keys: [TableRows.Key], _ parents: Set<SQLiteValue>, _ file: TableFile, _ restarts: Bool
    ) throws -> sending TableLook<Item> {
      let statement = try file.rows(where: " AND _quire_id = ?1\(file.isChild ? " AND _quire_parent = ?2" : "")")
      var (gone, found) = ([TableRows.Key](), [TableRows.Row]())
      for key in Set(keys).union(rows.hidden).union(rows.keys(of: parents)) {
        statement.bind(1, key.id)
        statement.bind(2, key.parent)
        if try statement.step() {
          let row = TableFile.row(of: statement)
          if !rows.isUnchanged(row) { found.append(row) }
        } else {
          gone.append(key)
        }
        statement.reset()
      }
      let ofParent = try parents.isEmpty ? nil : file.rows(where: " AND _quire_parent = ?1")
      let seen = Set(found.map(\.key))
      for parent in parents {
        ofParent?.bind(1, parent)
        while let statement = ofParent, try statement.step() {
          let row = TableFile.row(of: statement)
          if !seen.contains(row.key), !rows.isUnchanged(row) { found.append(row) }
        }
        ofParent?.reset()
      }
      return change(gone, found, restarts, isAtEnd: false)
    }

    /// Reads all rows, and decodes those that are not as they were.
    private func compare(_ file: TableFile, _ restarts: Bool) throws -> sending TableLook<Item> {
      rows.beginComparing()
      let statement = try file.rows()
      var found: [TableRows.Row] = []
      while try statement.step() {
        let row = TableFile.row(of: statement)
        if !rows.isUnchanged(row) { found.append(row) }
      }
      statement.reset()
      return change(rows.unseen(), found, restarts, isAtEnd: false)
    }

    private func change(
      _ gone: [TableRows.Key], _ changed: [TableRows.Row], _ restarts: Bool, isAtEnd: Bool
    ) -> sending TableLook<Item> {
      let decoded = decoder.decode(changed.map(\.json))
      let step = rows.change(gone: gone, rows: changed, ids: decoded.ids, isAtEnd: isAtEnd)
      var look = TableLook<Item>()
      look.isRead = true
      look.rows.restarts = restarts
      (look.rows.removed, look.rows.shifted) = (step.removed, step.shifted)
      var items = decoded.items.makeIterator()
      for (target, id) in zip(step.targets, decoded.ids) {
        guard let id, let item = items.next() else { continue }
        switch target {
        case .none: break
        case .insert(let position): look.rows.inserted.append((position, id, item))
        case .update(let position): look.rows.updated.append((position, item))
        }
      }
      look.report = decoded.report
      return look
    }
  }
#endif
