internal import ListModel
public import ListReading

extension ListController {
  // MARK: - Views

  /// Shows the list in a view, which replaces the one before. The view is held weakly.
  public func attach(_ view: any ListView) {
    detach()
    self.view = view
    view.replaceAll {}
    view.show(shownState.header)
    view.show(shownState.footer)
    view.show(shownState.placeholder)
    view.showRefreshFailure(shownState.refreshFailure)
    view.showNewRows(shownState.newRows)
    if shownState.isRefreshing { view.beginRefreshing() }
    lookAtView()
  }

  /// Detaches the view. A refresh that the view shows ends there, but continues in the list.
  public func detach() {
    if shownState.isRefreshing { view?.endRefreshing(.cancelled) }
    view = nil
  }

  // MARK: - Rows

  /// Returns the item of a row; `nil` if there is no such row or the item isn't in memory.
  public func item(at position: RowPosition) -> Item? { sections.item(at: position) }

  /// Returns the id of an item; `nil` if the items of the list have none.
  public func id(of item: Item) -> RowID? { list.identity.id?(item) }

  /// Returns the position of an item's row; `nil` also for items without identity. Rows of the list are
  /// looked up; other rows are found by a linear search.
  public func position(of id: RowID) -> RowPosition? {
    guard let identity = list.identity.id else { return nil }
    let sections = sections
    // The list may be one step ahead of the shown rows.
    if let place = list.position(of: id).flatMap(sections.position(ofListRow:)),
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

  /// Scrolls the view to the row of an item.
  ///
  /// - Returns: Whether there is such a row.
  @discardableResult public func scroll(to id: RowID) -> Bool {
    guard let position = position(of: id) else { return false }
    view?.scroll(to: position)
    return true
  }

  // MARK: - Cells

  /// Returns the kind of a row according to ``kinds``; the standard kind for a row that isn't in memory,
  /// ``CellKind/gap`` for a gap, and `nil` if there is no such row.
  public func kind(at position: RowPosition) -> CellKind? {
    switch sections.row(at: position) {
    case .item(let item): kinds.kind(of: item)
    case .notLoaded: kinds.standard
    case .gap: .gap
    case nil: nil
    }
  }

  /// Returns the content of a row, from its item or else from the rules of its kind. That of a gap is a text.
  public func content(at position: RowPosition) -> RowContent? {
    switch sections.row(at: position) {
    case .item(let item): kinds.content(of: item)
    case .gap(let gap): content(of: gap)
    case .notLoaded, nil: nil
    }
  }

  /// Configures a cell with the rules of its kind.
  ///
  /// - Returns: Whether the kind has rules for cells of that type; if not, the view configures the cell.
  @discardableResult public func configure(_ cell: Any, at position: RowPosition) -> Bool {
    guard let item = item(at: position) else { return false }
    return kinds.rules(of: kinds.kind(of: item), for: item)?.fill?(cell, item, position) ?? false
  }

  // MARK: - Heights

  /// Returns the height of a row: 0 if there is no such row, the standard height if it isn't in memory. See
  /// ``CellKinds/Heights``.
  public func height(at position: RowPosition) -> Double {
    guard let row = sections.row(at: position) else { return 0 }
    return row.item.map { heights.height(of: $0) } ?? heights.standard
  }

  /// Returns the height of a row that its item, a rule, or the program gives; `nil` if the view may decide, as one does
  /// whose cells have the height of their content.
  public func givenHeight(at position: RowPosition) -> Double? {
    sections.row(at: position).flatMap { heights.givenHeight(of: $0.item) }
  }

  /// Sets the width of the view and measures all rows again.
  public func widthChanged(to width: Double) {
    guard width.isHeight, width != heights.width else { return }
    heights.width = width
    view?.heightsChanged()
  }

  /// Measures one row again.
  public func invalidateHeight(of id: RowID) {
    heights.invalidate(id)
    view?.heightsChanged()
  }

  /// Measures the rows of a kind again.
  public func invalidateHeights(of kind: CellKind) {
    heights.invalidate(kind)
    view?.heightsChanged()
  }

  /// Measures all rows again.
  public func invalidateHeights() {
    heights.invalidateAll()
    view?.heightsChanged()
  }
}
