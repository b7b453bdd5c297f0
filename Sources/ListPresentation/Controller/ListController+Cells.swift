public import ListModel

extension ListController {
  /// The item of a row; `nil` where there is none, or it is not in memory.
  public func item(at position: RowPosition) -> Item? { sections.item(at: position) }

  /// Where the row of an item is; `nil` too where items have no identity. Rows of the list are found at
  /// once, others by walking through them.
  public func position(of id: RowID) -> RowPosition? {
    guard let identity = model.identity.id else { return nil }
    let sections = sections
    // The list may be a step ahead of what is shown.
    if let place = model.position(of: id).flatMap(sections.position(ofListRow:)),
      sections.item(at: place).map(identity) == id
    {
      return place
    }
    for (number, section) in sections.sections.enumerated() {
      let row = section.rows.firstIndex { $0.item.map(identity) == id }
      if let row { return RowPosition(section: number, row: row) }
    }
    return nil
  }

  /// Brings the row of an item into sight.
  ///
  /// - Returns: Whether there is such a row.
  @discardableResult public func scroll(to id: RowID) -> Bool {
    guard let position = position(of: id) else { return false }
    view?.scroll(to: position)
    return true
  }

  // MARK: - Cells

  /// The kind of a row, as ``kinds`` say. A row that is not in memory is of the standard kind; `nil`
  /// where there is no row.
  public func kind(at position: RowPosition) -> CellKind? {
    guard let row = sections.row(at: position) else { return nil }
    return row.item.map(kinds.kind) ?? kinds.standard
  }

  /// What a row says: as its item says, else the rules of its kind.
  public func content(at position: RowPosition) -> RowContent? {
    item(at: position).flatMap { kinds.content(of: $0) }
  }

  /// Fills a cell, as its kind says.
  ///
  /// - Returns: Whether the kind knows cells of that type; where it does not, the view fills it.
  @discardableResult public func configure(_ cell: Any, at position: RowPosition) -> Bool {
    guard let item = item(at: position) else { return false }
    return kinds.rules(of: kinds.kind(of: item), for: item)?.fill?(cell, item, position) ?? false
  }

  // MARK: - Heights

  /// How high a row is: 0 where there is none, the standard height where it is not in memory. See
  /// ``CellHeights``.
  public func height(at position: RowPosition) -> Double {
    guard let row = sections.row(at: position) else { return 0 }
    return row.item.map { heights.height(of: $0) } ?? heights.standard
  }

  /// The view has another width, so that rows may have other heights.
  public func widthChanged(to width: Double) {
    guard width.isHeight, width != heights.width else { return }
    heights.width = width
    view?.heightsChanged()
  }

  /// Has one row measured again.
  public func invalidateHeight(of id: RowID) {
    heights.invalidate(id)
    view?.heightsChanged()
  }

  /// Has the rows of a kind measured again.
  public func invalidateHeights(of kind: CellKind) {
    heights.invalidate(kind)
    view?.heightsChanged()
  }

  /// Has all rows measured again.
  public func invalidateHeights() {
    heights.invalidateAll()
    view?.heightsChanged()
  }
}
