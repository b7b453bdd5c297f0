#if canImport(UIKit)
  public import Quire
  public import UIKit

  extension ListCollectionBinding {
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

    /// Returns a layout that looks like a table, with titles and swipe actions.
    public func listLayout(
      _ appearance: UICollectionLayoutListConfiguration.Appearance = .plain
    ) -> UICollectionViewLayout { adapter.listLayout(appearance) }

    // MARK: - Attaching

    /// Attaches the view again after ``detach()``.
    public func attach() {
      adapter.isDetached = false
      collectionView.dataSource = self
      collectionView.delegate = self
      adapter.list.attach(adapter)
    }

    /// Attaches the view again if another one took its place meanwhile.
    func attachIfNeeded() { if !adapter.isDetached, !adapter.isAttached { attach() } }

    /// Detaches the view, which is empty afterwards. Swipe actions and controls that are still shown do nothing.
    public func detach() {
      adapter.isDetached = true
      if adapter.isAttached { adapter.list.detach() }
      adapter.surroundings.clear()
      if collectionView.delegate === self { collectionView.delegate = nil }
      if collectionView.dataSource === self { collectionView.dataSource = nil }
      collectionView.reloadData()
    }

    /// Reports the width and the visible items after layout.
    func didLayOut() { adapter.didLayOut() }
  }
#endif
