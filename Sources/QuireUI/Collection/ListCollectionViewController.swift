#if canImport(UIKit)
  public import Quire
  public import UIKit

  /// A screen that shows a list in a collection view. A subclass writes one method: how a cell shows an item.
  ///
  /// ```swift
  /// final class Covers: ListCollectionViewController<Book> {
  ///   override func show(_ book: Book, in cell: UICollectionViewCell, at position: RowPosition) {
  ///     (cell as? CoverCell)?.show(book)
  ///   }
  /// }
  /// ```
  ///
  /// Without a layout it looks like a table. Rows are moved with a long press: `UICollectionViewController` has a gesture
  /// for that, which asks the data source, and the screen is that.
  @MainActor open class ListCollectionViewController<Item>: UICollectionViewController {
    /// The list.
    public let list: ListController<Item>
    /// The binding of the collection view, as soon as the view is loaded.
    public private(set) var binding: ListCollectionBinding?
    private let hasLayout: Bool

    /// Creates a screen of a list.
    public init(_ list: ListController<Item>, layout: UICollectionViewLayout? = nil) {
      self.list = list
      hasLayout = layout != nil
      super.init(collectionViewLayout: layout ?? UICollectionViewFlowLayout())
    }

    /// Returns `nil`: a list can't be read from an archive.
    public required init?(coder: NSCoder) { nil }

    /// Shows an item in a cell, if the rules of its kind don't. By default, the cell shows the content of the
    /// row.
    open func show(_ item: Item, in cell: UICollectionViewCell, at position: RowPosition) {
      let shown = list.content(at: position) ?? RowContent("\(item)")
      binding?.adapter.surroundings.draw(shown, in: cell)
    }

    /// Returns the binding of the collection view. Override it to use a subclass of ``ListCollectionBinding``.
    open func makeBinding(in collectionView: UICollectionView) -> ListCollectionBinding {
      ListCollectionBinding(list, in: collectionView)
    }

    /// Binds the collection view. Register cells after calling it.
    open override func viewDidLoad() {
      super.viewDidLoad()
      guard let collectionView else { return }
      let binding = makeBinding(in: collectionView)
      binding.configure = { [weak self] cell, position in
        guard let self, let item = list.item(at: position) else { return false }
        show(item, in: cell, at: position)
        return true
      }
      if !hasLayout { collectionView.collectionViewLayout = binding.listLayout() }
      self.binding = binding
    }

    /// Reports to the list that the screen appears.
    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      binding?.attachIfNeeded()
      list.appeared()
    }

    /// Reports to the list that the screen has disappeared.
    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      list.disappeared()
    }

    /// Measures items for another width.
    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      binding?.didLayOut()
    }
  }
#endif
