internal import ItemMapping

/// Merges rows that come in parts over several responses, until one says that they are complete.
///
/// Parts of a row have the same id. Their members are combined: objects member by member, lists by appending what
/// differs; of other values the later one wins. The rows keep the order in which their first parts came.
struct RowBatch {
  /// The member of a response that says that the rows so far are complete.
  let flag: JSONPath
  /// The path of the ids; `nil` until it is found.
  private var idPath: JSONPath?
  private var order: [RowID] = []
  private var rows: [RowID: JSONAny] = [:]
  /// The checkpoint before the first page of the batch; `nil` if no rows are held back.
  private(set) var start: PageWalk.Checkpoint?

  init(flag: JSONPath, idPath: JSONPath?) { (self.flag, self.idPath) = (flag, idPath) }

  /// Holds the rows of a page back if they are not complete; otherwise the page has all rows of the batch.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - checkpoint: The checkpoint before it.
  mutating func take(
    _ page: inout LoadedPage<JSONView>, at checkpoint: PageWalk.Checkpoint?
  ) throws(LoadError) {
    if page.isBatchComplete, start == nil { return }
    let items = page.rows.items
    if idPath == nil, !items.isEmpty { idPath = RowIDFinder.path(in: items) }
    // No row is changed before it is known that all have ids.
    let ids = items.map { row in idPath.flatMap { RowID(at: $0, in: row) } }
    guard !ids.contains(nil) else {
      let missing = idPath.map { "a row has no “\($0.plainText)”" } ?? "no field identifies the rows"
      throw .paging(.unmergeableRows(missing))
    }
    for (id, row) in zip(ids, items) {
      guard let id else { continue }
      let part = JSONAny(row, keepingDigits: true)
      if let known = rows[id] {
        rows[id] = known.merging(part)
      } else {
        order.append(id)
        rows[id] = part
      }
    }
    start = start ?? checkpoint
    if !page.isBatchComplete {
      if case .page = page.page.facts.next {
        (page.rows.items, page.rows.isEmpty) = ([], true)
        return
      }
      if page.page.facts.next == .end {
        page.page.facts.next = .stopped(
          .missingRows(
            "the list ended, but nothing at “\(flag.plainText)” says that its rows are complete"))
      }
    }
    page.rows.items = try merged()
    page.rows.isEmpty = page.rows.items.isEmpty
    (order, rows, start) = ([], [:], nil)
  }

  /// The rows as elements of a new document.
  private func merged() throws(LoadError) -> [JSONView] {
    let array = JSONAny.array(order.compactMap { rows[$0] })
    do throws(JSONError) {
      return Array(try JSONDocument(array.utf8()).root.elements)
    } catch {
      throw .paging(.unmergeableRows("\(error)"))
    }
  }
}

extension JSONAny {
  /// Combines two parts of a value.
  fileprivate func merging(_ later: JSONAny) -> JSONAny {
    if self == later { return self }
    switch (self, later) {
    case (.object(var members), .object(let others)):
      for (name, value) in others { members[name] = members[name]?.merging(value) ?? value }
      return .object(members)
    case (.array(let elements), .array(let others)): return .array(elements + others)
    case (_, .null): return self
    default: return later
    }
  }
}
