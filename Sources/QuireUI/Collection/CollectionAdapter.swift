#if canImport(UIKit)
  internal import Quire
  internal import UIKit

  /// A collection view as the view of a list.
  @MainActor final class CollectionAdapter {
    let list: any BoundList
    let collectionView: UICollectionView
    private(set) lazy var surroundings = ListSurroundings(
      collectionView, attachedList: { [weak self] in self?.attachedList },
      placeFooter: { [weak self] in self?.place($0) })
    var registered: Set<CellKind> = []
    var cell: ((CellKind, IndexPath) -> UICollectionViewCell?)?
    var configure: ((UICollectionViewCell, RowPosition) -> Bool)?
    var size: ((RowPosition, UICollectionView) -> CGSize)?
    var supplementaryView: ((String, IndexPath) -> UICollectionReusableView?)?
    /// The kinds of a layout that nothing is known of.
    private var otherKinds: Set<String> = []
    var ledger = CellLedger()
    var handMove = HandMove()
    var isDetached = false
    private var footer: ListFooterView?
    /// What the footer has added to the bottom inset.
    private var footerInset: CGFloat = 0

    init<Item>(_ list: ListController<Item>, _ collectionView: UICollectionView) {
      self.list = list
      self.collectionView = collectionView
      for part in [SectionPart.header, .footer] {
        collectionView.register(
          SectionTitleView.self, forSupplementaryViewOfKind: part.elementKind,
          withReuseIdentifier: SectionTitleView.identifier)
      }
    }

    /// Whether the list shows its rows here. If not, nothing that happens in the view may reach it.
    var isAttached: Bool { list.view === self }
    var attachedList: (any BoundList)? { isAttached ? list : nil }

    func didLayOut() {
      layOutFooter()
      surroundings.layOut()
      reportVisibleRows()
    }

    func reportVisibleRows(with path: IndexPath? = nil) {
      let visible = surroundings.visible(collectionView.indexPathsForVisibleItems, with: path)
      attachedList?.rowsWillAppear(visible.rows, fillsView: visible.fillsView)
    }

    /// A view for a kind of a custom layout that the program has none for.
    func emptyView(_ kind: String, _ path: IndexPath) -> UICollectionReusableView {
      let name = "Quire.none"
      if otherKinds.insert(kind).inserted {
        collectionView.register(
          UICollectionReusableView.self, forSupplementaryViewOfKind: kind,
          withReuseIdentifier: name)
      }
      return collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: name, for: path)
    }

    // MARK: - Footer

    /// A collection view has no footer of its own: it is a subview in an inset below the content.
    private func place(_ footer: ListFooterView?) {
      self.footer?.removeFromSuperview()
      self.footer = footer
      if let footer { collectionView.addSubview(footer) }
      let height = footer?.frame.height ?? 0
      collectionView.contentInset.bottom += height - footerInset
      footerInset = height
      layOutFooter()
    }

    func layOutFooter() {
      footer?.frame = CGRect(
        x: 0, y: collectionView.contentSize.height, width: collectionView.bounds.width,
        height: footerInset)
    }
  }

  extension CollectionAdapter: ListView {
    func replaceAll(commit: @escaping () -> Void) {
      handMove.rowsChanged()
      ledger.removeAll()
      commit()
      collectionView.reloadData()
    }

    func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
      // Without a window nobody sees an animation.
      guard collectionView.window != nil, let update = ViewUpdate(change) else {
        return replaceAll(commit: commit)
      }
      handMove.rowsChanged()
      if update.changesRows {
        collectionView.performBatchUpdates { [self] in
          commit()
          // An observer of the rows may have detached the view, which is empty then.
          guard !isDetached else { return }
          ledger.follow(change)
          changeRows(update)
        } completion: { [weak self] _ in
          self?.layOutFooter()
        }
      } else {
        commit()
      }
      if isAttached { changeContent(update) }
    }

    private func changeRows(_ update: ViewUpdate) {
      collectionView.deleteSections(update.deletedSections)
      collectionView.insertSections(update.insertedSections)
      for move in update.movedSections { collectionView.moveSection(move.from, toSection: move.to) }
      collectionView.deleteItems(at: update.deletedRows)
      collectionView.insertItems(at: update.insertedRows)
      for move in update.movedRows { collectionView.moveItem(at: move.from, to: move.to) }
    }

    /// The second step: positions are those after the first.
    private func changeContent(_ update: ViewUpdate) {
      let (kept, other) = update.cells { [list, ledger] row in
        list.kind(at: row).map { ledger.hasOtherKind(than: $0, at: row) } ?? false
      }
      if !kept.isEmpty { collectionView.reconfigureItems(at: kept) }
      if !other.isEmpty { collectionView.reloadItems(at: other) }
      if !update.reloadedSections.isEmpty {
        collectionView.reloadSections(update.reloadedSections)
      }
    }

    func show(_ header: RefreshHeader.State) { surroundings.show(header) }
    func show(_ footer: FooterState) { surroundings.show(footer) }
    func show(_ placeholder: Placeholder?) { surroundings.show(placeholder) }
    func beginRefreshing() { surroundings.beginRefreshing() }
    func endRefreshing(_ outcome: LoadToken.Outcome) { surroundings.endRefreshing() }

    func scroll(to position: RowPosition) {
      guard position.section < collectionView.numberOfSections,
        position.row < collectionView.numberOfItems(inSection: position.section)
      else { return }
      collectionView.scrollToItem(
        at: IndexPath(position), at: .centeredVertically, animated: true)
    }

    func deselect(_ position: RowPosition) {
      collectionView.deselectItem(at: IndexPath(position), animated: true)
    }

    func heightsChanged() { collectionView.collectionViewLayout.invalidateLayout() }

    var visibleRows: (rows: ClosedRange<RowPosition>?, fillsView: Bool)? {
      guard collectionView.window != nil else { return nil }
      collectionView.layoutIfNeeded()
      layOutFooter()
      return surroundings.visible(collectionView.indexPathsForVisibleItems)
    }
  }

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
      at position: RowPosition, on edge: RowAction.Swipe.Edge
    ) -> UISwipeActionsConfiguration? {
      guard let attachedList else { return nil }
      ledger.swipe(position, on: edge)
      var actions = attachedList.swipeActions(at: position, on: edge)
      let deletes =
        edge == .trailing && actions.isEmpty && attachedList.editing(at: position) == .delete
      if deletes {
        actions = [
          RowAction.Swipe("delete", title: surroundings.drawing.deleteTitle, isDestructive: true)
        ]
      }
      return UISwipeActionsConfiguration(actions, surroundings.drawing) { [weak self] id in
        guard let self, let list = self.attachedList, let row = ledger.swipedRow(on: edge) else {
          return false
        }
        return deletes
          ? list.act(.delete, at: row).isHandled : list.act(.swipe(id), at: row).isHandled
      }
    }
  }
#endif
