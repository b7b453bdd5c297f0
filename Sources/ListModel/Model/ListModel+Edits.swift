extension ListModel {
  /// Changes the rows before the server has.
  ///
  /// ```swift
  /// let edit = try books.edit(.remove(7))
  /// do { try await delete(7); books.confirm(edit) } catch { books.rollback(edit) }
  /// ```
  ///
  /// The edit lies over the rows that the server sends, whatever loads come and go, until it is
  /// confirmed or rolled back. As everything else, it shows when observers are told of it.
  ///
  /// - Returns: The name to confirm it or roll it back by.
  /// - Throws: Why it can't be made; nothing changes then.
  @discardableResult
  public func edit(_ edit: ListEdit<Item>) throws(ListEditError) -> EditID {
    guard identity.id != nil else { throw .noIdentity }
    let made = try decide { brain throws(ListEditError) in try brain.edit(edit) }
    carryOut(made.effects)
    deliverSoon()
    return made.id
  }

  /// The server has made an edit too. The rows are as the server sends them from then on.
  public func confirm(_ edit: EditID) { act { $0.confirm(edit) } }

  /// Undoes an edit, and this one only, whatever happened since.
  public func rollback(_ edit: EditID) { act { $0.rollback(edit) } }
}

extension ListModel {
  /// Where in ``rows`` the row with this id is; `nil` where it isn't, or is about to go. Takes O(log pages)
  /// and a search in its page.
  ///
  /// ```swift
  /// if let row = books.position(of: 17) { table.scroll(to: row) }
  /// ```
  public func position(of id: RowID) -> Int? {
    // What is shown may be a step behind what the list has.
    guard let page = observedBrain.store.place(of: id)?.page.page.id,
      let shown = rows.tree.place(of: page), let row = shown.page.ids?.firstIndex(of: id)
    else { return nil }
    return shown.before.rows + row
  }
}
