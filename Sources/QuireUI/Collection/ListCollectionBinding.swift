#if canImport(UIKit)
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
  /// It is the data source and delegate of the view, which holds both weakly, so keep the binding. Cells are
  /// configured as by ``ListTableBinding``. A flow layout gets the heights of the list; ``listLayout(_:)`` is a
  /// layout with titles and swipe actions, whose cells have the height of their content.
  @MainActor public final class ListCollectionBinding {
    /// The collection view.
    public let collectionView: UICollectionView
    private let adapter: CollectionAdapter
    private var isDetached = false

    /// Creates a binding and attaches it to the list.
    public init<Item>(_ list: ListController<Item>, in collectionView: UICollectionView) {
      self.collectionView = collectionView
      adapter = CollectionAdapter(list, collectionView)
      // A short list can be pulled, too.
      collectionView.alwaysBounceVertical = true
      attach()
    }

    /// Registers the cells of a kind.
    public func register<Cell: UICollectionViewCell>(_ type: Cell.Type, for kind: CellKind) {
      collectionView.register(type, forCellWithReuseIdentifier: kind.rawValue)
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

    /// Called when the view scrolls.
    public var onScroll: ((UIScrollView) -> Void)? {
      get { adapter.onScroll }
      set { adapter.onScroll = newValue }
    }

    /// Returns a layout that looks like a table, with titles and swipe actions.
    public func listLayout(
      _ appearance: UICollectionLayoutListConfiguration.Appearance = .plain
    ) -> UICollectionViewLayout { adapter.listLayout(appearance) }

    /// Attaches the view again after ``detach()``.
    public func attach() {
      isDetached = false
      collectionView.dataSource = adapter
      collectionView.delegate = adapter
      adapter.list.attach(adapter)
    }

    /// Attaches the view again if another one took its place meanwhile.
    func attachIfNeeded() { if !isDetached, adapter.list.view !== adapter { attach() } }

    /// Detaches the view, which is empty afterwards.
    public func detach() {
      isDetached = true
      if adapter.list.view === adapter { adapter.list.detach() }
      adapter.surroundings.clear()
      if collectionView.delegate === adapter { collectionView.delegate = nil }
      if collectionView.dataSource === adapter { collectionView.dataSource = nil }
      collectionView.reloadData()
    }

    /// Reports the width and the visible items after layout.
    func didLayOut() { adapter.didLayOut() }
  }
#endif
