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
    guard identity.id != nil else { throw .noIdentity }
    let made = try decide { brain throws(ListEditError) in try brain.edit(edit) }
    showAtOnce(made.effects)
    return made.id
  }

  /// Confirms that the server has made the edit too. From now on the rows are as the server sends them.
  public func confirm(_ edit: EditID) { showAtOnce(decide { $0.confirm(edit) }) }

  /// Confirms an edit with the row that the server made of it, such as the response to a `POST`.
  ///
  /// ```swift
  /// let edit = try books.edit(.insert(draft, at: .start))
  /// books.confirm(edit, as: try await server.send(call, as: Book.self))
  /// ```
  ///
  /// The row stays where it is, and becomes the server's: it has its content and, if it differs, its id. Later
  /// edits of the row stay pending on top of that. If a page has brought the server's row before, that row
  /// stays where the server has it, and the edited one goes away; a page that brings it later finds it in the
  /// list (``DuplicatePolicy``). A confirmed removal ignores the item.
  public func confirm(_ edit: EditID, as item: Item) {
    guard let id = identity.id?(item) else { return confirm(edit) }
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
    await withCheckedContinuation { waiters.append(Waiter(step: step, continuation: $0)) }
  }

  /// Performs the effects of an edit, and shows its rows within the call.
  private func showAtOnce(_ effects: [ListEffect]) {
    perform(effects)
    if !effects.isEmpty || brain.isHidden { showDecisions() }
    deliverSoon()
  }

  /// The rows right after the last event that was delivered: where an observer that starts now begins, since
  /// it is still notified of edits that ``rows`` already have.
  package var deliveredRows: ListSnapshot<Item> { outbox.delivered.rows }
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
    guard let page = observedBrain.store.place(of: id)?.page.page.id,
      let shown = rows.tree.place(of: page), let row = shown.page.ids?.firstIndex(of: id)
    else { return nil }
    return shown.before.rows + row
  }
}
