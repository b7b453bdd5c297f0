#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// A collection view as the view of a list.
  @MainActor final class CollectionAdapter: ListAdapter {
    let list: any BoundList
    let collectionView: UICollectionView
    var scrollView: UIScrollView { collectionView }
    private(set) lazy var surroundings = ListSurroundings(
      collectionView, attachedList: { [weak self] in self?.attachedList },
      placeFooter: { [weak self] in self?.place($0) },
      pictures: RowPictures(
        load: { [weak list] in await list?.data(at: $0) },
        arrived: { [weak self] in self?.arrived($0) }))
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
    var isDisplaying = false
    var isHoldingPosition = false
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

    var visiblePaths: [IndexPath] { collectionView.indexPathsForVisibleItems }

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

    // MARK: - The view of a list

    func frame(of path: IndexPath) -> CGRect? {
      guard path.section < collectionView.numberOfSections,
        path.item < collectionView.numberOfItems(inSection: path.section)
      else { return nil }
      return collectionView.layoutAttributesForItem(at: path)?.frame
    }

    func reloadData() { collectionView.reloadData() }

    func performUpdates(_ changes: @escaping () -> Void) {
      collectionView.performBatchUpdates(changes) { [weak self] _ in self?.layOutFooter() }
    }

    func changeRows(_ update: ViewUpdate) {
      collectionView.deleteSections(update.deletedSections)
      collectionView.insertSections(update.insertedSections)
      for move in update.movedSections { collectionView.moveSection(move.from, toSection: move.to) }
      collectionView.deleteItems(at: update.deletedRows)
      collectionView.insertItems(at: update.insertedRows)
      for move in update.movedRows { collectionView.moveItem(at: move.from, to: move.to) }
    }

    func reload(kept: [IndexPath], other: [IndexPath], sections: IndexSet) {
      if !kept.isEmpty { collectionView.reconfigureItems(at: kept) }
      if !other.isEmpty { collectionView.reloadItems(at: other) }
      if !sections.isEmpty { collectionView.reloadSections(sections) }
    }

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
          self?.swipeActions(at: RowPosition(path), on: .leading, deletes: true)
        }
        list.trailingSwipeActionsConfigurationProvider = { path in
          self?.swipeActions(at: RowPosition(path), on: .trailing, deletes: true)
        }
        return NSCollectionLayoutSection.list(using: list, layoutEnvironment: environment)
      }
    }
  }
#endif
