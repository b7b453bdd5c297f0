#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
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
  ///
  /// A subclass can override the methods of data source and delegate, and calls `super`, which passes them on to the
  /// binding.
  @MainActor
  open class ListCollectionViewController<Item>: UICollectionViewController,
    UICollectionViewDelegateFlowLayout
  {
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
      #if canImport(ObjectiveC)
        passedOn = binding
      #endif
      binding.screen = self
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

    // MARK: - Data source and delegate

    /// Passed on to the binding.
    open override func numberOfSections(in collectionView: UICollectionView) -> Int {
      binding?.numberOfSections(in: collectionView) ?? 0
    }

    /// Passed on to the binding.
    open override func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      binding?.collectionView(collectionView, numberOfItemsInSection: section) ?? 0
    }

    /// Passed on to the binding.
    open override func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView {
      binding?.collectionView(collectionView, viewForSupplementaryElementOfKind: kind, at: indexPath)
        ?? UICollectionReusableView(frame: .zero)
    }

    /// Passed on to the binding.
    open override func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
      -> UICollectionViewCell
    {
      binding?.collectionView(collectionView, cellForItemAt: indexPath) ?? UICollectionViewCell(frame: .zero)
    }

    /// Passed on to the binding.
    open override func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) {
      binding?.collectionView(collectionView, willDisplay: cell, forItemAt: indexPath)
    }

    /// Passed on to the binding.
    open override func collectionView(
      _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) {
      binding?.collectionView(collectionView, didEndDisplaying: cell, forItemAt: indexPath)
    }

    /// Passed on to the binding.
    open override func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
      binding?.collectionView(collectionView, didSelectItemAt: indexPath)
    }

    /// Passed on to the binding.
    open override func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
      binding?.collectionView(collectionView, didDeselectItemAt: indexPath)
    }

    /// Passed on to the binding.
    open override func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
      binding?.collectionView(collectionView, canMoveItemAt: indexPath) ?? false
    }

    /// Passed on to the binding.
    open override func collectionView(
      _ collectionView: UICollectionView,
      targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
      atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath {
      binding?.collectionView(
        collectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath: originalIndexPath,
        atCurrentIndexPath: currentIndexPath, toProposedIndexPath: proposedIndexPath) ?? proposedIndexPath
    }

    /// Passed on to the binding.
    open override func collectionView(
      _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
    ) {
      binding?.collectionView(collectionView, moveItemAt: sourceIndexPath, to: destinationIndexPath)
    }

    /// Passed on to the binding.
    open func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
      binding?.collectionView(collectionView, layout: collectionViewLayout, sizeForItemAt: indexPath)
        ?? CGSize(width: 50, height: 50)
    }

    /// Passed on to the binding.
    open func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      referenceSizeForHeaderInSection section: Int
    ) -> CGSize {
      binding?.collectionView(collectionView, layout: collectionViewLayout, referenceSizeForHeaderInSection: section)
        ?? .zero
    }

    /// Passed on to the binding.
    open func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      referenceSizeForFooterInSection section: Int
    ) -> CGSize {
      binding?.collectionView(collectionView, layout: collectionViewLayout, referenceSizeForFooterInSection: section)
        ?? .zero
    }

    /// Passed on to the binding.
    open override func scrollViewDidScroll(_ scrollView: UIScrollView) {
      binding?.scrollViewDidScroll(scrollView)
    }

    /// Passed on to the binding.
    open override func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
      binding?.scrollViewDidEndDragging(scrollView, willDecelerate: decelerate)
    }

    #if canImport(ObjectiveC)
      // Safe because it is set once, when the view is loaded and before UIKit asks, and a weak reference may be read on
      // any thread. Its methods are called on the main thread by UIKit alone.
      private nonisolated(unsafe) weak var passedOn: NSObject?

      /// Whether the screen has a method, or the binding to which it is passed on.
      nonisolated open override func responds(to selector: Selector!) -> Bool {
        super.responds(to: selector) || passedOn?.responds(to: selector) == true
      }

      /// Returns the binding for methods that a subclass of it has added.
      nonisolated open override func forwardingTarget(for selector: Selector!) -> Any? {
        passedOn?.responds(to: selector) == true
          ? passedOn : super.forwardingTarget(for: selector)
      }
    #endif
  }
#endif
