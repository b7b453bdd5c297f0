#if canImport(UIKit)
  internal import Quire
  internal import UIKit

  extension CollectionAdapter: UICollectionViewDelegateFlowLayout {
    func scrollViewDidScroll(_ scrollView: UIScrollView) {
      layOutFooter()
      surroundings.didScroll()
      reportVisibleRows()
      onScroll?(scrollView)
    }

    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
      list.didRelease()
    }

    func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) {
      let position = RowPosition(indexPath)
      if ledger.show(cell, at: position) { _ = list.act(.show, at: position) }
      layOutFooter()
      reportVisibleRows(with: indexPath)
    }

    func collectionView(
      _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) {
      if let position = ledger.end(cell) { _ = list.act(.hide, at: position) }
    }

    func collectionView(
      _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
    ) { _ = list.select(RowPosition(indexPath)) }

    func collectionView(
      _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
    ) { _ = list.deselect(RowPosition(indexPath)) }

    func collectionView(
      _ collectionView: UICollectionView,
      targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
      atCurrentIndexPath currentIndexPath: IndexPath,
      toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath {
      handMove.propose()
      return proposedIndexPath
    }

    // MARK: - Sizes in a flow layout

    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
      let position = RowPosition(indexPath)
      if let size { return size(position, collectionView) }
      let insets = collectionView.adjustedContentInset
      let section = (collectionViewLayout as? UICollectionViewFlowLayout)?.sectionInset ?? .zero
      let width =
        collectionView.bounds.width - insets.left - insets.right - section.left - section.right
      return CGSize(
        width: max(0, width), height: list.height(at: position, width: max(0, width)))
    }

    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      referenceSizeForHeaderInSection section: Int
    ) -> CGSize { titleSize(.header, of: section) }

    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      referenceSizeForFooterInSection section: Int
    ) -> CGSize { titleSize(.footer, of: section) }

    private func titleSize(_ part: SectionPart, of section: Int) -> CGSize {
      CGSize(
        width: collectionView.bounds.width,
        height: list.title(part, of: section).height ?? 32)
    }

    // MARK: - The layout of a list

    func listLayout(
      _ appearance: UICollectionLayoutListConfiguration.Appearance
    ) -> UICollectionViewLayout {
      UICollectionViewCompositionalLayout { [weak self] section, environment in
        var list = UICollectionLayoutListConfiguration(appearance: appearance)
        list.headerMode =
          self?.list.title(.header, of: section).height == 0 ? .none : .supplementary
        list.footerMode =
          self?.list.title(.footer, of: section).height == 0 ? .none : .supplementary
        list.leadingSwipeActionsConfigurationProvider = { path in
          self?.swipeActions(at: RowPosition(path), on: .leading)
        }
        list.trailingSwipeActionsConfigurationProvider = { path in
          self?.swipeActions(at: RowPosition(path), on: .trailing)
        }
        return NSCollectionLayoutSection.list(using: list, layoutEnvironment: environment)
      }
    }

    /// Returns the swipe actions of an item, with that to delete it, which a table has by itself.
    private func swipeActions(
      at position: RowPosition, on edge: SwipeAction.Edge
    ) -> UISwipeActionsConfiguration? {
      ledger.swipe(position, on: edge)
      var actions = list.swipeActions(at: position, on: edge)
      let deletes = edge == .trailing && actions.isEmpty && list.editing(at: position) == .delete
      if deletes {
        actions = [
          SwipeAction("delete", title: surroundings.drawing.deleteTitle, isDestructive: true)
        ]
      }
      return UISwipeActionsConfiguration(actions, surroundings.drawing) { [weak self] id in
        guard let self, let row = ledger.swipedRow(on: edge) else { return false }
        return deletes
          ? list.commit(.delete, at: row).isHandled : list.act(.swipe(id), at: row).isHandled
      }
    }
  }
#endif
