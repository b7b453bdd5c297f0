#if canImport(UIKit)
  internal import Quire
  internal import UIKit

  /// The layout of a list.
  extension CollectionAdapter {
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
      guard let attachedList else { return nil }
      ledger.swipe(position, on: edge)
      var actions = attachedList.swipeActions(at: position, on: edge)
      let deletes =
        edge == .trailing && actions.isEmpty && attachedList.editing(at: position) == .delete
      if deletes {
        actions = [
          SwipeAction("delete", title: surroundings.drawing.deleteTitle, isDestructive: true)
        ]
      }
      return UISwipeActionsConfiguration(actions, surroundings.drawing) { [weak self] id in
        guard let self, let list = self.attachedList, let row = ledger.swipedRow(on: edge) else {
          return false
        }
        return deletes
          ? list.commit(.delete, at: row).isHandled : list.act(.swipe(id), at: row).isHandled
      }
    }
  }
#endif
