#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  public import Quire
  public import UIKit

  /// A screen that shows a list in a table. A subclass writes one method: how a cell shows an item.
  ///
  /// ```swift
  /// final class BooksScreen: ListTableViewController<Book> {
  ///   override func show(_ book: Book, in cell: UITableViewCell, at position: RowPosition) {
  ///     var content = cell.defaultContentConfiguration()
  ///     content.text = book.title
  ///     cell.contentConfiguration = content
  ///   }
  /// }
  /// let screen = BooksScreen(ListController(books))
  /// ```
  ///
  /// A subclass can override the methods of data source and delegate, and calls `super`, which passes them on to the
  /// binding.
  ///
  /// The list is refreshed when the screen appears, as ``RefreshOptions/autoRefresh`` says.
  @MainActor open class ListTableViewController<Item>: UITableViewController {
    /// The list.
    public let list: ListController<Item>
    /// The binding of the table, as soon as the view is loaded.
    public private(set) var binding: ListTableBinding?

    /// Creates a screen of a list.
    public init(_ list: ListController<Item>, style: UITableView.Style = .plain) {
      self.list = list
      super.init(style: style)
    }

    /// Returns `nil`: a list can't be read from an archive.
    public required init?(coder: NSCoder) { nil }

    /// Shows an item in a cell, if the rules of its kind don't. By default, the cell shows the content of the
    /// row.
    open func show(_ item: Item, in cell: UITableViewCell, at position: RowPosition) {
      let shown = list.content(at: position) ?? RowContent("\(item)")
      binding?.adapter.surroundings.draw(shown, in: cell)
    }

    /// Returns the binding of the table. Override it to use a subclass of ``ListTableBinding``.
    open func makeBinding(in tableView: UITableView) -> ListTableBinding {
      ListTableBinding(list, in: tableView)
    }

    /// Binds the table. Register cells after calling it.
    open override func viewDidLoad() {
      super.viewDidLoad()
      guard let tableView else { return }
      let binding = makeBinding(in: tableView)
      binding.configure = { [weak self] cell, position in
        guard let self, let item = list.item(at: position) else { return false }
        show(item, in: cell, at: position)
        return true
      }
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

    /// Measures rows for another width.
    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      binding?.didLayOut()
    }

    // MARK: - Data source and delegate

    /// Passed on to the binding.
    open override func numberOfSections(in tableView: UITableView) -> Int {
      binding?.numberOfSections(in: tableView) ?? 0
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      binding?.tableView(tableView, numberOfRowsInSection: section) ?? 0
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
      binding?.tableView(tableView, titleForHeaderInSection: section)
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
      binding?.tableView(tableView, titleForFooterInSection: section)
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
      binding?.tableView(tableView, viewForHeaderInSection: section)
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? {
      binding?.tableView(tableView, viewForFooterInSection: section)
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
      binding?.tableView(tableView, heightForRowAt: indexPath) ?? UITableView.automaticDimension
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
      binding?.tableView(tableView, heightForHeaderInSection: section) ?? UITableView.automaticDimension
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
      binding?.tableView(tableView, heightForFooterInSection: section) ?? UITableView.automaticDimension
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      binding?.tableView(tableView, cellForRowAt: indexPath) ?? UITableViewCell(style: .default, reuseIdentifier: nil)
    }

    /// Passed on to the binding.
    open override func tableView(
      _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) {
      binding?.tableView(tableView, willDisplay: cell, forRowAt: indexPath)
    }

    /// Passed on to the binding.
    open override func tableView(
      _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) {
      binding?.tableView(tableView, didEndDisplaying: cell, forRowAt: indexPath)
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      binding?.tableView(tableView, didSelectRowAt: indexPath)
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
      binding?.tableView(tableView, didDeselectRowAt: indexPath)
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
      binding?.tableView(tableView, canEditRowAt: indexPath) ?? false
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath)
      -> UITableViewCell.EditingStyle
    {
      binding?.tableView(tableView, editingStyleForRowAt: indexPath) ?? .none
    }

    /// Passed on to the binding.
    open override func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {
      binding?.tableView(tableView, commit: editingStyle, forRowAt: indexPath)
    }

    /// Passed on to the binding.
    open override func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      binding?.tableView(tableView, canMoveRowAt: indexPath) ?? false
    }

    /// Passed on to the binding.
    open override func tableView(
      _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
      toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath {
      binding?.tableView(
        tableView, targetIndexPathForMoveFromRowAt: sourceIndexPath, toProposedIndexPath: proposedDestinationIndexPath)
        ?? proposedDestinationIndexPath
    }

    /// Passed on to the binding.
    open override func tableView(
      _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
    ) {
      binding?.tableView(tableView, moveRowAt: sourceIndexPath, to: destinationIndexPath)
    }

    /// Passed on to the binding.
    open override func tableView(
      _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      binding?.tableView(tableView, leadingSwipeActionsConfigurationForRowAt: indexPath)
    }

    /// Passed on to the binding.
    open override func tableView(
      _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      binding?.tableView(tableView, trailingSwipeActionsConfigurationForRowAt: indexPath)
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
