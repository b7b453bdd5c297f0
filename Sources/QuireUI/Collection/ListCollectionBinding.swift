#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  public import Quire
  public import UIKit

  /// Shows a list in a `UICollectionView`: sections, items, refresh control, footer and placeholder.
  ///
  /// ```swift
  /// binding = ListCollectionBinding(screen, in: collectionView)
  /// binding.register(CoverCell.self, for: "book")
  /// collectionView.collectionViewLayout = binding.listLayout()
  /// ```
  ///
  /// It is the data source and delegate of the view, which holds both weakly, so keep the binding. A
  /// ``ListCollectionViewController`` takes that place and passes everything on to its binding. Cells are
  /// configured as by ``ListTableBinding``. A flow layout gets the heights of the list; ``listLayout(_:)`` is a
  /// layout with titles and swipe actions, whose cells have the height of their content.
  ///
  /// A subclass can override the methods of data source and delegate, and add others, as that of a
  /// ``ListTableBinding``. After ``detach()``, or when another view shows the list, nothing that happens in the view
  /// reaches the list.
  @MainActor
  open class ListCollectionBinding: NSObject, UICollectionViewDataSource,
    UICollectionViewDelegateFlowLayout
  {
    /// The collection view.
    public let collectionView: UICollectionView
    let adapter: CollectionAdapter
    /// The ready-made screen, which passes on what the view asks it. Its subclasses may override that.
    weak var screen: (any UICollectionViewDataSource & UICollectionViewDelegateFlowLayout)? {
      didSet { if !adapter.isDetached { attach() } }
    }

    /// Creates a binding and attaches it to the list.
    public init<Item>(_ list: ListController<Item>, in collectionView: UICollectionView) {
      self.collectionView = collectionView
      adapter = CollectionAdapter(list, collectionView)
      super.init()
      // A short list can be pulled, too.
      collectionView.alwaysBounceVertical = true
      attach()
    }

    // MARK: - Sections

    /// Returns the number of sections.
    open func numberOfSections(in collectionView: UICollectionView) -> Int {
      adapter.list.sectionCount
    }

    /// Returns the number of items in a section.
    open func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { adapter.list.rowCount(inSection: section) }

    /// Returns the view of a kind, as ``supplementaryView`` does: by default, the title of a section.
    open func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at indexPath: IndexPath
    ) -> UICollectionReusableView { adapter.supplementaryView(kind, at: indexPath) }

    // MARK: - Cells

    /// Returns the cell of an item, configured.
    open func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell { adapter.cell(at: indexPath) }

    /// Reports to the list that an item is visible.
    open func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) { adapter.willDisplay(cell, at: indexPath) }

    /// Reports to the list that an item is no longer visible.
    open func collectionView(
      _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) { adapter.didEndDisplaying(cell) }

    // MARK: - Selecting and moving

    /// Selects an item in the list.
    open func collectionView(
      _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
    ) { _ = adapter.attachedList?.select(RowPosition(indexPath)) }

    /// Deselects an item in the list.
    open func collectionView(
      _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
    ) { _ = adapter.attachedList?.deselect(RowPosition(indexPath)) }

    /// Returns whether an item can be moved.
    open func collectionView(
      _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
    ) -> Bool { adapter.attachedList?.canMove(RowPosition(indexPath)) ?? false }

    /// Returns where a dragged item may be dropped.
    open func collectionView(
      _ collectionView: UICollectionView,
      targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
      atCurrentIndexPath currentIndexPath: IndexPath,
      toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath {
      adapter.handMove.propose()
      return proposedIndexPath
    }

    /// Moves an item in the list.
    open func collectionView(
      _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
      to destinationIndexPath: IndexPath
    ) { adapter.move(from: RowPosition(sourceIndexPath), to: RowPosition(destinationIndexPath)) }

    // MARK: - Sizes in a flow layout

    /// Returns the size of an item, as ``size`` does: by default, the width of the view and the height of the list.
    open func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize { adapter.size(at: RowPosition(indexPath), in: collectionViewLayout) }

    /// Returns the size of the header of a section.
    open func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      referenceSizeForHeaderInSection section: Int
    ) -> CGSize { adapter.titleSize(.header, of: section) }

    /// Returns the size of the footer of a section.
    open func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      referenceSizeForFooterInSection section: Int
    ) -> CGSize { adapter.titleSize(.footer, of: section) }

    // MARK: - Scrolling

    /// Reports a scroll to the list.
    open func scrollViewDidScroll(_ scrollView: UIScrollView) { adapter.didScroll() }

    /// Reports the end of a drag to the list.
    open func scrollViewDidEndDragging(
      _ scrollView: UIScrollView, willDecelerate decelerate: Bool
    ) { adapter.attachedList?.didRelease() }
  }

  extension ListCollectionBinding {
    /// Registers the cells of a kind.
    public func register<Cell: UICollectionViewCell>(_ type: Cell.Type, for kind: CellKind) {
      collectionView.register(type, forCellWithReuseIdentifier: kind.rawValue)
      adapter.registered.insert(kind)
    }

    /// Registers the cells of a kind by a nib. A collection view doesn't say what is registered in it, so a nib must be
    /// registered here.
    public func register(_ nib: UINib, for kind: CellKind) {
      collectionView.register(nib, forCellWithReuseIdentifier: kind.rawValue)
      adapter.registered.insert(kind)
    }

    /// Returns the cell of an item; `nil` to use the registered ones. For cells of a storyboard.
    public var cell: ((CellKind, IndexPath) -> UICollectionViewCell?)? {
      get { adapter.cell }
      set { adapter.cell = newValue }
    }

    /// Configures cells that the rules of their kind don't configure, and returns whether it did.
    public var configure: ((UICollectionViewCell, RowPosition) -> Bool)? {
      get { adapter.configure }
      set { adapter.configure = newValue }
    }

    /// How placeholder, header and footer are drawn.
    public var drawing: ListDrawing {
      get { adapter.surroundings.drawing }
      set { adapter.surroundings.drawing = newValue }
    }

    /// Returns the size of an item in a flow layout. By default items are as wide as the view, and as high as
    /// the list says.
    public var size: ((RowPosition, UICollectionView) -> CGSize)? {
      get { adapter.size }
      set {
        adapter.size = newValue
        adapter.heightsChanged()
      }
    }

    /// Returns the view of a kind, such as a badge of a custom layout; `nil` for the default: titles of sections, and
    /// empty views for other kinds.
    public var supplementaryView: ((String, IndexPath) -> UICollectionReusableView?)? {
      get { adapter.supplementaryView }
      set { adapter.supplementaryView = newValue }
    }

    /// Returns a layout that looks like a table, with titles and swipe actions.
    public func listLayout(
      _ appearance: UICollectionLayoutListConfiguration.Appearance = .plain
    ) -> UICollectionViewLayout { adapter.listLayout(appearance) }

    // MARK: - Attaching

    /// Attaches the view again after ``detach()``.
    public func attach() {
      adapter.isDetached = false
      collectionView.dataSource = screen ?? self
      collectionView.delegate = screen ?? self
      adapter.list.attach(adapter)
    }

    /// Attaches the view again if another one took its place meanwhile.
    func attachIfNeeded() { if !adapter.isDetached, !adapter.isAttached { attach() } }

    /// Detaches the view, which is empty afterwards. Swipe actions and controls that are still shown do nothing.
    public func detach() {
      adapter.detach()
      if collectionView.delegate === screen ?? self { collectionView.delegate = nil }
      if collectionView.dataSource === screen ?? self { collectionView.dataSource = nil }
      collectionView.reloadData()
    }

    /// Reports the width and the visible items after layout. Call it in `viewDidLayoutSubviews` of your view controller.
    public func didLayOut() { adapter.didLayOut() }
  }
#endif
