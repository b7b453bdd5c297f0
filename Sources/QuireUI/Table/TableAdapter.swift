#if canImport(UIKit)
  internal import Quire
  internal import UIKit

  /// A table as the view of a list.
  @MainActor final class TableAdapter {
    let list: any BoundList
    let tableView: UITableView
    private(set) lazy var surroundings = ListSurroundings(
      tableView, attachedList: { [weak self] in self?.attachedList },
      placeFooter: { [weak tableView] in tableView?.tableFooterView = $0 })
    var registered: Set<CellKind> = []
    var cell: ((CellKind, IndexPath) -> UITableViewCell?)?
    var configure: ((UITableViewCell, RowPosition) -> Bool)?
    var sizesCells = false
    var animation = UITableView.RowAnimation.automatic
    var ledger = CellLedger()
    var handMove = HandMove()
    var isDetached = false

    init<Item>(_ list: ListController<Item>, _ tableView: UITableView) {
      self.list = list
      self.tableView = tableView
    }

    /// Whether the list shows its rows here. If not, nothing that happens in the view may reach it.
    var isAttached: Bool { list.view === self }
    var attachedList: (any BoundList)? { isAttached ? list : nil }

    func didLayOut() {
      surroundings.layOut()
      reportVisibleRows()
    }

    func reportVisibleRows(with path: IndexPath? = nil) {
      let visible = surroundings.visible(tableView.indexPathsForVisibleRows ?? [], with: path)
      attachedList?.rowsWillAppear(visible.rows, fillsView: visible.fillsView)
    }
  }

  // MARK: - The view of a list

  extension TableAdapter: ListView {
    func replaceAll(commit: @escaping () -> Void) {
      handMove.rowsChanged()
      ledger.removeAll()
      commit()
      tableView.reloadData()
    }

    func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
      // Without a window nobody sees an animation, and UIKit warns of the layout.
      guard tableView.window != nil, let update = ViewUpdate(change) else {
        return replaceAll(commit: commit)
      }
      handMove.rowsChanged()
      if update.changesRows {
        tableView.performBatchUpdates { [self] in
          commit()
          // An observer of the rows may have detached the table, which is empty then.
          guard !isDetached else { return }
          ledger.follow(change)
          changeRows(update)
        }
      } else {
        commit()
      }
      if isAttached { changeContent(update) }
    }

    private func changeRows(_ update: ViewUpdate) {
      tableView.deleteSections(update.deletedSections, with: animation)
      tableView.insertSections(update.insertedSections, with: animation)
      for move in update.movedSections { tableView.moveSection(move.from, toSection: move.to) }
      tableView.deleteRows(at: update.deletedRows, with: animation)
      tableView.insertRows(at: update.insertedRows, with: animation)
      for move in update.movedRows { tableView.moveRow(at: move.from, to: move.to) }
    }

    /// The second step: positions are those after the first.
    private func changeContent(_ update: ViewUpdate) {
      let (kept, other) = update.cells { [list, ledger] row in
        list.kind(at: row).map { ledger.hasOtherKind(than: $0, at: row) } ?? false
      }
      if !kept.isEmpty { tableView.reconfigureRows(at: kept) }
      if !other.isEmpty { tableView.reloadRows(at: other, with: .none) }
      if !update.reloadedSections.isEmpty {
        tableView.reloadSections(update.reloadedSections, with: .none)
      }
    }

    func show(_ header: RefreshHeader.State) { surroundings.show(header) }
    func show(_ footer: FooterState) { surroundings.show(footer) }
    func show(_ placeholder: Placeholder?) { surroundings.show(placeholder) }
    func beginRefreshing() { surroundings.beginRefreshing() }
    func endRefreshing(_ outcome: LoadToken.Outcome) { surroundings.endRefreshing() }

    func scroll(to position: RowPosition) {
      guard position.section < tableView.numberOfSections,
        position.row < tableView.numberOfRows(inSection: position.section)
      else { return }
      tableView.scrollToRow(at: IndexPath(position), at: .middle, animated: true)
    }

    func deselect(_ position: RowPosition) {
      tableView.deselectRow(at: IndexPath(position), animated: true)
    }

    // An update without changes measures all rows again.
    func heightsChanged() { tableView.performBatchUpdates(nil) }

    var visibleRows: (rows: ClosedRange<RowPosition>?, fillsView: Bool)? {
      guard tableView.window != nil else { return nil }
      tableView.layoutIfNeeded()
      return surroundings.visible(tableView.indexPathsForVisibleRows ?? [])
    }
  }

  /// What a table asks and reports about its rows.
  extension TableAdapter {
    func cell(at path: IndexPath) -> UITableViewCell {
      let position = RowPosition(path)
      let kind = list.kind(at: position) ?? .standard
      let cell = cell?(kind, path) ?? registeredCell(kind, path)
      ledger.gave(cell, for: position, kind)
      guard !list.configure(cell, at: position), configure?(cell, position) != true else {
        return cell
      }
      let shown = list.rowContent(at: position)
      var content = cell.defaultContentConfiguration()
      content.text = shown.title
      content.secondaryText = shown.subtitle
      content.image = shown.image.flatMap(surroundings.drawing.image)
      cell.contentConfiguration = content
      return cell
    }

    private func registeredCell(_ kind: CellKind, _ path: IndexPath) -> UITableViewCell {
      if registered.insert(kind).inserted {
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: kind.rawValue)
      }
      return tableView.dequeueReusableCell(withIdentifier: kind.rawValue, for: path)
    }

    func willDisplay(_ cell: UITableViewCell, at path: IndexPath) {
      let position = RowPosition(path)
      if ledger.show(cell, at: position) { _ = attachedList?.act(.show, at: position) }
      reportVisibleRows(with: path)
    }

    func didEndDisplaying(_ cell: UITableViewCell) {
      if let position = ledger.end(cell) { _ = attachedList?.act(.hide, at: position) }
    }

    func didScroll() {
      surroundings.didScroll()
      reportVisibleRows()
    }

    // MARK: - Heights

    func height(at position: RowPosition) -> CGFloat {
      // The list measures for the width of the attached view.
      guard !sizesCells, let attachedList else { return UITableView.automaticDimension }
      return attachedList.height(at: position, width: tableView.bounds.width)
    }

    func titleHeight(_ part: SectionPart, of section: Int) -> CGFloat {
      // A grouped table takes 0 for its standard height.
      list.title(part, of: section).height.map { max(CGFloat.leastNormalMagnitude, $0) }
        ?? UITableView.automaticDimension
    }

    // MARK: - Editing

    /// Whether UIKit should ask for editing and swipe actions of a row.
    func canEdit(_ position: RowPosition) -> Bool {
      guard let attachedList else { return false }
      return attachedList.editing(at: position) != nil
        || !attachedList.swipeActions(at: position, on: .trailing).isEmpty
        || !attachedList.swipeActions(at: position, on: .leading).isEmpty
    }

    func editingStyle(at position: RowPosition) -> UITableViewCell.EditingStyle {
      switch attachedList?.editing(at: position) {
      case .insert?: .insert
      case .delete?: .delete
      default: .none
      }
    }

    func commit(_ style: UITableViewCell.EditingStyle, at position: RowPosition) {
      switch style {
      case .delete: _ = attachedList?.act(.delete, at: position)
      case .insert: _ = attachedList?.act(.insert, at: position)
      default: break
      }
    }

    func move(from old: RowPosition, to new: RowPosition) {
      guard let attachedList else { return }
      // The rows changed under the finger: another row may be there now.
      guard handMove.drop() else { return replaceAll {} }
      _ = attachedList.move(from: old, to: new)
    }

    func swipeActions(
      at position: RowPosition, on edge: RowAction.Swipe.Edge
    ) -> UISwipeActionsConfiguration? {
      guard let attachedList else { return nil }
      ledger.swipe(position, on: edge)
      return UISwipeActionsConfiguration(
        attachedList.swipeActions(at: position, on: edge), surroundings.drawing
      ) { [weak self] id in
        guard let self, let list = self.attachedList, let row = ledger.swipedRow(on: edge) else {
          return false
        }
        return list.act(.swipe(id), at: row).isHandled
      }
    }
  }
#endif
