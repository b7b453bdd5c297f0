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
