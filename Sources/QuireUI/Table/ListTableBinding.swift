#if canImport(UIKit)
  public import Quire
  public import UIKit

  /// Shows a list in a `UITableView`: sections, rows, refresh control, footer and placeholder.
  ///
  /// ```swift
  /// binding = ListTableBinding(screen, in: tableView)
  /// binding.register(BookCell.self, for: "book")
  /// ```
  ///
  /// It is the data source and delegate of the table, which holds both weakly, so keep the binding. Cells are
  /// configured by the rules of ``CellKinds`` or by ``configure``; other rows show their content in a standard
  /// cell. Call `appeared()` and `disappeared()` of the list when the screen does.
  @MainActor public final class ListTableBinding {
    /// The table.
    public let tableView: UITableView
    private let adapter: TableAdapter
    private var isDetached = false

    /// Creates a binding and attaches it to the list.
    public init<Item>(_ list: ListController<Item>, in tableView: UITableView) {
      self.tableView = tableView
      adapter = TableAdapter(list, tableView)
      attach()
    }

    /// Registers the cells of a kind.
    public func register<Cell: UITableViewCell>(_ type: Cell.Type, for kind: CellKind) {
      tableView.register(type, forCellReuseIdentifier: kind.rawValue)
      adapter.registered.insert(kind)
    }

    /// Returns the cell of a row; `nil` to use the registered ones. For cells of a storyboard.
    public var cell: ((CellKind, IndexPath) -> UITableViewCell?)? {
      get { adapter.cell }
      set { adapter.cell = newValue }
    }

    /// Configures cells that the rules of their kind don't configure, and returns whether it did.
    public var configure: ((UITableViewCell, RowPosition) -> Bool)? {
      get { adapter.configure }
      set { adapter.configure = newValue }
    }

    /// How placeholder, header and footer are drawn.
    public var drawing: ListDrawing {
      get { adapter.surroundings.drawing }
      set { adapter.surroundings.drawing = newValue }
    }

    /// Whether cells have the height of their content. Otherwise heights come from the list.
    public var sizesCells: Bool {
      get { adapter.sizesCells }
      set {
        adapter.sizesCells = newValue
        adapter.heightsChanged()
      }
    }

    /// How changed rows appear.
    public var animation: UITableView.RowAnimation {
      get { adapter.animation }
      set { adapter.animation = newValue }
    }

    /// Called when the table scrolls.
    public var onScroll: ((UIScrollView) -> Void)? {
      get { adapter.onScroll }
      set { adapter.onScroll = newValue }
    }

    /// Attaches the table again after ``detach()``.
    public func attach() {
      isDetached = false
      tableView.dataSource = adapter
      tableView.delegate = adapter
      adapter.list.attach(adapter)
    }

    /// Attaches the view again if another one took its place meanwhile.
    func attachIfNeeded() { if !isDetached, adapter.list.view !== adapter { attach() } }

    /// Detaches the table, which is empty afterwards.
    public func detach() {
      isDetached = true
      if adapter.list.view === adapter { adapter.list.detach() }
      adapter.surroundings.clear()
      if tableView.delegate === adapter { tableView.delegate = nil }
      if tableView.dataSource === adapter { tableView.dataSource = nil }
      tableView.reloadData()
    }

    /// Reports the width and the visible rows after layout.
    func didLayOut() { adapter.didLayOut() }
  }
#endif
