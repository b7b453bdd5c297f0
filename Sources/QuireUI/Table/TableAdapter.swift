#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// A table as the view of a list.
  @MainActor final class TableAdapter: ListAdapter {
    let list: any BoundList
    let tableView: UITableView
    var scrollView: UIScrollView { tableView }
    private(set) lazy var surroundings = ListSurroundings(
      tableView, attachedList: { [weak self] in self?.attachedList },
      placeFooter: { [weak self] in self?.place($0) },
      pictures: RowPictures(
        load: { [weak list] in await list?.data(at: $0) },
        arrived: { [weak self] in self?.arrived($0) }))
    var registered: Set<CellKind> = []
    var cell: ((CellKind, IndexPath) -> UITableViewCell?)?
    var configure: ((UITableViewCell, RowPosition) -> Bool)?
    var sizesCells = false
    var animation = UITableView.RowAnimation.automatic
    var ledger = CellLedger()
    var handMove = HandMove()
    var isDetached = false
    var isDisplaying = false
    var isHoldingPosition = false
    /// The footer of the program, while that of the list is in its place.
    private var programFooter: UIView?

    init<Item>(_ list: ListController<Item>, _ tableView: UITableView) {
      self.list = list
      self.tableView = tableView
    }

    var visiblePaths: [IndexPath] { tableView.indexPathsForVisibleRows ?? [] }

    func frame(of path: IndexPath) -> CGRect? {
      guard path.section < tableView.numberOfSections,
        path.row < tableView.numberOfRows(inSection: path.section)
      else { return nil }
      return tableView.rectForRow(at: path)
    }

    private func place(_ footer: ListFooterView?) {
      if let footer {
        let shown = tableView.tableFooterView
        if !(shown is ListFooterView) { programFooter = shown }
        tableView.tableFooterView = footer
      } else {
        if tableView.tableFooterView is ListFooterView { tableView.tableFooterView = programFooter }
        programFooter = nil
      }
    }

    // MARK: - The view of a list

    func reloadData() { tableView.reloadData() }

    func performUpdates(_ changes: @escaping () -> Void) { tableView.performBatchUpdates(changes) }

    func changeRows(_ update: ViewUpdate) {
      tableView.deleteSections(update.deletedSections, with: animation)
      tableView.insertSections(update.insertedSections, with: animation)
      for move in update.movedSections { tableView.moveSection(move.from, toSection: move.to) }
      tableView.deleteRows(at: update.deletedRows, with: animation)
      tableView.insertRows(at: update.insertedRows, with: animation)
      for move in update.movedRows { tableView.moveRow(at: move.from, to: move.to) }
    }

    func reload(kept: [IndexPath], other: [IndexPath], sections: IndexSet) {
      // The end of a batch asks for the heights again, which a row with other content may change.
      if !kept.isEmpty {
        tableView.performBatchUpdates { [tableView] in tableView.reconfigureRows(at: kept) }
      }
      if !other.isEmpty { tableView.reloadRows(at: other, with: .none) }
      if !sections.isEmpty { tableView.reloadSections(sections, with: .none) }
    }

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
      surroundings.draw(list.rowContent(at: position), in: cell)
      return cell
    }

    private func registeredCell(_ kind: CellKind, _ path: IndexPath) -> UITableViewCell {
      if registered.insert(kind).inserted {
        // The program may have registered a class or a nib in the table itself, or have a prototype in a storyboard.
        if let cell = tableView.dequeueReusableCell(withIdentifier: kind.rawValue) { return cell }
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: kind.rawValue)
      }
      return tableView.dequeueReusableCell(withIdentifier: kind.rawValue, for: path)
    }

    // MARK: - Heights

    func height(at position: RowPosition) -> CGFloat {
      // The list measures for the width of the attached view.
      guard !sizesCells, let attachedList else { return UITableView.automaticDimension }
      return attachedList.height(at: position, width: tableView.bounds.width).map { CGFloat($0) }
        ?? UITableView.automaticDimension
    }

    func titleHeight(_ part: SectionPart, of section: Int) -> CGFloat {
      guard let height = list.title(part, of: section).height else {
        return UITableView.automaticDimension
      }
      // A grouped table takes 0 for its standard height, and a plain one adds padding to any other.
      return tableView.style == .plain ? height : max(CGFloat.leastNormalMagnitude, height)
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
      // A row that can't be edited isn't swiped either.
      default: !tableView.isEditing && canEdit(position) ? .delete : .none
      }
    }

    /// Returns the actions at the end of a row. Without any, UIKit offers to delete each row that can be swiped.
    func trailingActions(at position: RowPosition) -> UISwipeActionsConfiguration? {
      guard let attachedList else { return nil }
      return swipeActions(at: position, on: .trailing)
        ?? (attachedList.editing(at: position) == .delete
          ? nil : UISwipeActionsConfiguration(actions: []))
    }

    func commit(_ style: UITableViewCell.EditingStyle, at position: RowPosition) {
      switch (style, attachedList?.editing(at: position)) {
      case (.delete, .delete?): _ = attachedList?.act(.delete, at: position)
      case (.insert, .insert?): _ = attachedList?.act(.insert, at: position)
      default: break
      }
    }
  }
#endif
