#if canImport(UIKit)
  public import Quire
  public import UIKit

  extension ListTableBinding {
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

    // MARK: - Attaching

    /// Attaches the table again after ``detach()``.
    public func attach() {
      adapter.isDetached = false
      tableView.dataSource = self
      tableView.delegate = self
      adapter.list.attach(adapter)
    }

    /// Attaches the view again if another one took its place meanwhile.
    func attachIfNeeded() { if !adapter.isDetached, !adapter.isAttached { attach() } }

    /// Detaches the table, which is empty afterwards. Swipe actions and controls that are still shown do nothing.
    public func detach() {
      adapter.isDetached = true
      if adapter.isAttached { adapter.list.detach() }
      adapter.surroundings.clear()
      if tableView.delegate === self { tableView.delegate = nil }
      if tableView.dataSource === self { tableView.dataSource = nil }
      tableView.reloadData()
    }

    /// Reports the width and the visible rows after layout.
    func didLayOut() { adapter.didLayOut() }
  }
#endif
