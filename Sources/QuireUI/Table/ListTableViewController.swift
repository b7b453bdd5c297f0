#if canImport(UIKit)
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
  }
#endif
