#if canImport(UIKit)
  internal import Quire
  internal import UIKit

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
      return attachedList.editing(at: position) != .none
        || !attachedList.swipeActions(at: position, on: .trailing).isEmpty
        || !attachedList.swipeActions(at: position, on: .leading).isEmpty
    }

    func editingStyle(at position: RowPosition) -> UITableViewCell.EditingStyle {
      switch attachedList?.editing(at: position) {
      case nil, .none?: .none
      case .insert?: .insert
      case .delete?: .delete
      }
    }

    func commit(_ style: UITableViewCell.EditingStyle, at position: RowPosition) {
      switch style {
      case .delete: _ = attachedList?.commit(.delete, at: position)
      case .insert: _ = attachedList?.commit(.insert, at: position)
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
      at position: RowPosition, on edge: SwipeAction.Edge
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
