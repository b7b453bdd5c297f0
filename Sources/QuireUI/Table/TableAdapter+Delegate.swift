#if canImport(UIKit)
  internal import Quire
  internal import UIKit

  extension TableAdapter: UITableViewDelegate {
    func scrollViewDidScroll(_ scrollView: UIScrollView) {
      surroundings.didScroll()
      reportVisibleRows()
      onScroll?(scrollView)
    }

    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
      list.didRelease()
    }

    // MARK: - Heights

    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
      sizesCells
        ? UITableView.automaticDimension
        : list.height(at: RowPosition(indexPath), width: tableView.bounds.width)
    }

    func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
      titleHeight(.header, of: section)
    }

    func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
      titleHeight(.footer, of: section)
    }

    private func titleHeight(_ part: SectionPart, of section: Int) -> CGFloat {
      // A grouped table takes 0 for its standard height.
      list.title(part, of: section).height.map { max(CGFloat.leastNormalMagnitude, $0) }
        ?? UITableView.automaticDimension
    }

    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
      surroundings.drawing.sectionView(.header, section)
    }

    func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? {
      surroundings.drawing.sectionView(.footer, section)
    }

    // MARK: - Rows

    func tableView(
      _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) {
      let position = RowPosition(indexPath)
      if ledger.show(cell, at: position) { _ = list.act(.show, at: position) }
      reportVisibleRows(with: indexPath)
    }

    func tableView(
      _ tableView: UITableView, didEndDisplaying cell: UITableViewCell,
      forRowAt indexPath: IndexPath
    ) {
      if let position = ledger.end(cell) { _ = list.act(.hide, at: position) }
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      _ = list.select(RowPosition(indexPath))
    }

    func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
      _ = list.deselect(RowPosition(indexPath))
    }

    func tableView(
      _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle {
      switch list.editing(at: RowPosition(indexPath)) {
      case .none: .none
      case .insert: .insert
      case .delete: .delete
      }
    }

    func tableView(
      _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
      toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath {
      handMove.propose()
      return proposedDestinationIndexPath
    }

    // MARK: - Swipe actions

    func tableView(
      _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? { swipeActions(at: RowPosition(indexPath), on: .leading) }

    func tableView(
      _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? { swipeActions(at: RowPosition(indexPath), on: .trailing) }

    private func swipeActions(
      at position: RowPosition, on edge: SwipeAction.Edge
    ) -> UISwipeActionsConfiguration? {
      ledger.swipe(position, on: edge)
      return UISwipeActionsConfiguration(
        list.swipeActions(at: position, on: edge), surroundings.drawing
      ) { [weak self] id in
        guard let self, let row = ledger.swipedRow(on: edge) else { return false }
        return list.act(.swipe(id), at: row).isHandled
      }
    }
  }
#endif
