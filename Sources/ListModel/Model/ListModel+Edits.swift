public import ListReading
internal import ServerAPI

extension ListModel {
  /// Changes rows before the server does.
  ///
  /// ```swift
  /// let edit = try books.edit(.remove(7))
  /// do { try await delete(7); books.confirm(edit) } catch { books.rollback(edit) }
  /// ```
  ///
  /// The edit stays applied to the rows of the server, across all loads, until it is confirmed or rolled
  /// back. ``rows`` have it when the call returns, as after ``confirm(_:)`` and ``rollback(_:)``. Observers
  /// are notified in a later turn; ``eventsDelivered()`` waits for that.
  ///
  /// - Returns: The id for ``confirm(_:)`` and ``rollback(_:)``.
  /// - Throws: The reason why the edit is impossible. The rows are unchanged then.
  @discardableResult
  public func edit(_ edit: ListEdit<Item>) throws(ListEditError) -> EditID {
    guard let id = identity.id else { throw .noIdentity }
    let made = try decide { brain throws(ListEditError) in try brain.edit(edit, identity: id) }
    showAtOnce(made.effects)
    return made.id
  }

  /// Confirms that the server has made the edit too. From now on the rows are as the server sends them.
  public func confirm(_ edit: EditID) {
    server.noteWrite()
    showAtOnce(decide { $0.confirm(edit) })
  }

  /// Confirms an edit with the row that the server made of it, such as the response to a `POST`.
  ///
  /// ```swift
  /// let edit = try books.edit(.insert(draft, at: .start))
  /// books.confirm(edit, as: try await server.send(call, as: Book.self))
  /// ```
  ///
  /// The row stays where it is, and becomes the server's: it has its content and, if it differs, its id. Later
  /// edits of the row stay pending on top of that. If a page with the server's row has already been loaded, that row
  /// stays where it is, and the edited row is removed. If a later page has the row, ``DuplicatePolicy`` applies. A
  /// confirmed removal ignores the item.
  public func confirm(_ edit: EditID, as item: Item) {
    guard let id = identity.id?(item) else { return confirm(edit) }
    server.noteWrite()
    showAtOnce(decide { $0.confirm(edit, as: item, id: id) })
  }

  /// Undoes this edit and no other, regardless of later changes.
  public func rollback(_ edit: EditID) { showAtOnce(decide { $0.rollback(edit) }) }

  /// Waits until observers are notified of all events so far, such as those of an edit.
  ///
  /// ```swift
  /// try books.edit(.remove(7))
  /// await books.eventsDelivered()    // the table has removed the row
  /// ```
  public func eventsDelivered() async {
    guard !outbox.isEmpty else { return }
    let step = outbox.added
    deliverSoon()
    await withCheckedContinuation { waiters.add($0, until: step) }
  }

  /// Performs the effects of an edit or a reset, and shows its rows within the call.
  func showAtOnce(_ effects: [ListEffect]) {
    perform(effects)
    if !effects.isEmpty || brain.isHidden { showDecisions() }
    deliverSoon()
  }

  /// The rows right after the last event that was delivered: where an observer that starts now begins, since
  /// it is still notified of edits that ``rows`` already have.
  package var deliveredRows: ListSnapshot<Item> { outbox.delivered.rows }
}

// MARK: - With the server

extension ListModel {
  /// Makes an edit, sends it, and confirms it with the row that the server returns.
  ///
  /// ```swift
  /// let saved = try await books.edit(.insert(draft, at: .start)) {
  ///   try await server.send(call, as: Book.self)
  /// }
  /// ```
  ///
  /// The edit shows at once. When this returns, it is confirmed as ``confirm(_:as:)`` does or rolled back,
  /// and observers are notified. The list is retained until then.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - operation: Sends the edit. It decides on cancellation: the edit is confirmed if it returns, also in a
  ///     cancelled task, and rolled back if it throws.
  /// - Returns: The server's row.
  /// - Throws: A ``ListEditError`` if the edit is impossible; then nothing was sent. Otherwise the error of the
  ///   operation, unchanged.
  @discardableResult
  public func edit(
    _ edit: ListEdit<Item>, operation: () async throws -> Item
  ) async throws -> Item {
    try await send(edit, operation) { confirm($0, as: $1) }
  }

  /// Makes an edit, sends it, and confirms it as it is.
  ///
  /// ```swift
  /// try await books.edit(.remove(7)) { try await server.send(Call("/books/7", method: .delete)) }
  /// ```
  ///
  /// The edit shows at once. When this returns, it is confirmed or rolled back, and observers are notified. The
  /// list is retained until then.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - operation: Sends the edit. It decides on cancellation: the edit is confirmed if it returns, also in a
  ///     cancelled task, and rolled back if it throws.
  /// - Returns: The result of the operation.
  /// - Throws: A ``ListEditError`` if the edit is impossible; then nothing was sent. Otherwise the error of the
  ///   operation, unchanged.
  @discardableResult
  public func edit<Value>(
    _ edit: ListEdit<Item>, operation: () async throws -> Value
  ) async throws -> Value {
    try await send(edit, operation) { edit, _ in confirm(edit) }
  }

  private func send<Value>(
    _ edit: ListEdit<Item>, _ operation: () async throws -> Value,
    confirm: (EditID, Value) -> Void
  ) async throws -> Value {
    let made = try self.edit(edit)
    do {
      let value = try await operation()
      confirm(made, value)
      await eventsDelivered()
      return value
    } catch {
      rollback(made)
      await eventsDelivered()
      throw error
    }
  }
}

extension ListModel {
  /// Returns the position in ``rows`` of the row with this id, or `nil` if there is none or it is about to be
  /// removed. Takes O(log pages) and a search in its page.
  ///
  /// ```swift
  /// if let row = books.position(of: 17) { table.scroll(to: row) }
  /// ```
  public func position(of id: RowID) -> Int? {
    // The visible rows may be behind the store.
    guard let page = observed({ $0.store.place(of: id)?.page.page.id }),
      let shown = rows.tree.place(of: page), let row = shown.page.ids?.firstIndex(of: id)
    else { return nil }
    return shown.before.rows + row
  }
}
