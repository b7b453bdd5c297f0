#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  public import Quire
  public import UIKit

  /// Shows a list in a `UITableView`: sections, rows, refresh control, footer and placeholder.
  ///
  /// ```swift
  /// binding = ListTableBinding(screen, in: tableView)
  /// binding.register(BookCell.self, for: "book")
  /// ```
  ///
  /// It is the data source and delegate of the table, which holds both weakly, so keep the binding. A
  /// ``ListTableViewController`` takes that place and passes everything on to its binding. Cells are
  /// configured by the rules of ``CellKinds`` or by ``configure``; other rows show their content in a standard
  /// cell. Call `appeared()` and `disappeared()` of the list when the screen does.
  ///
  /// A subclass can override the methods of data source and delegate, and calls `super`. A delegate method that
  /// isn't here is added under its Objective-C name, by which UIKit looks for it:
  ///
  /// ```swift
  /// @objc(tableView:shouldHighlightRowAtIndexPath:)
  /// func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool {
  ///   false
  /// }
  /// ```
  ///
  /// After ``detach()``, or when another view shows the list, nothing that happens in the table reaches the list.
  @MainActor open class ListTableBinding: NSObject, UITableViewDataSource, UITableViewDelegate {
    /// The table.
    public let tableView: UITableView
    let adapter: TableAdapter
    /// The ready-made screen, which passes on what the table asks it. Its subclasses may override that.
    weak var screen: (any UITableViewDataSource & UITableViewDelegate)? {
      didSet { if !adapter.isDetached { attach() } }
    }

    /// Creates a binding and attaches it to the list.
    public init<Item>(_ list: ListController<Item>, in tableView: UITableView) {
      self.tableView = tableView
      adapter = TableAdapter(list, tableView)
      super.init()
      attach()
    }

    // MARK: - Sections

    /// Returns the number of sections.
    open func numberOfSections(in tableView: UITableView) -> Int { adapter.list.sectionCount }

    /// Returns the number of rows in a section.
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      adapter.list.rowCount(inSection: section)
    }

    /// Returns the title above a section.
    open func tableView(
      _ tableView: UITableView, titleForHeaderInSection section: Int
    ) -> String? { adapter.list.title(.header, of: section).text }

    /// Returns the title below a section.
    open func tableView(
      _ tableView: UITableView, titleForFooterInSection section: Int
    ) -> String? { adapter.list.title(.footer, of: section).text }

    /// Returns the view above a section, as ``ListDrawing/sectionView`` does.
    open func tableView(
      _ tableView: UITableView, viewForHeaderInSection section: Int
    ) -> UIView? { adapter.surroundings.drawing.sectionView(.header, section) }

    /// Returns the view below a section, as ``ListDrawing/sectionView`` does.
    open func tableView(
      _ tableView: UITableView, viewForFooterInSection section: Int
    ) -> UIView? { adapter.surroundings.drawing.sectionView(.footer, section) }

    // MARK: - Heights

    /// Returns the height of a row, as the list says.
    open func tableView(
      _ tableView: UITableView, heightForRowAt indexPath: IndexPath
    ) -> CGFloat { adapter.height(at: RowPosition(indexPath)) }

    /// Returns the height of the header of a section.
    open func tableView(
      _ tableView: UITableView, heightForHeaderInSection section: Int
    ) -> CGFloat { adapter.titleHeight(.header, of: section) }

    /// Returns the height of the footer of a section.
    open func tableView(
      _ tableView: UITableView, heightForFooterInSection section: Int
    ) -> CGFloat { adapter.titleHeight(.footer, of: section) }

    // MARK: - Cells

    /// Returns the cell of a row, configured.
    open func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell { adapter.cell(at: indexPath) }

    /// Reports to the list that a row is visible.
    open func tableView(
      _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) { adapter.willDisplay(cell, at: indexPath) }

    /// Reports to the list that a row is no longer visible.
    open func tableView(
      _ tableView: UITableView, didEndDisplaying cell: UITableViewCell,
      forRowAt indexPath: IndexPath
    ) { adapter.didEndDisplaying(cell) }

    // MARK: - Selecting

    /// Selects a row in the list.
    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      _ = adapter.attachedList?.select(RowPosition(indexPath))
    }

    /// Deselects a row in the list.
    open func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
      _ = adapter.attachedList?.deselect(RowPosition(indexPath))
    }

    // MARK: - Editing

    /// Returns whether a row can be deleted or inserted at, or has swipe actions.
    open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
      adapter.canEdit(RowPosition(indexPath))
    }

    /// Returns how a row can be edited, as the list says.
    open func tableView(
      _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle { adapter.editingStyle(at: RowPosition(indexPath)) }

    /// Deletes a row, or inserts one at it.
    open func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
      forRowAt indexPath: IndexPath
    ) { adapter.commit(editingStyle, at: RowPosition(indexPath)) }

    /// Returns whether a row can be moved.
    open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      adapter.attachedList?.canMove(RowPosition(indexPath)) ?? false
    }

    /// Returns where a dragged row may be dropped.
    open func tableView(
      _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
      toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath {
      adapter.handMove.propose()
      return proposedDestinationIndexPath
    }

    /// Moves a row in the list.
    open func tableView(
      _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
      to destinationIndexPath: IndexPath
    ) { adapter.move(from: RowPosition(sourceIndexPath), to: RowPosition(destinationIndexPath)) }

    /// Returns the actions that a swipe from the leading edge shows.
    open func tableView(
      _ tableView: UITableView, leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      adapter.swipeActions(at: RowPosition(indexPath), on: .leading)
    }

    /// Returns the actions that a swipe from the trailing edge shows.
    open func tableView(
      _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      adapter.trailingActions(at: RowPosition(indexPath))
    }

    // MARK: - Scrolling

    /// Reports a scroll to the list.
    open func scrollViewDidScroll(_ scrollView: UIScrollView) { adapter.didScroll() }

    /// Reports the end of a drag to the list.
    open func scrollViewDidEndDragging(
      _ scrollView: UIScrollView, willDecelerate decelerate: Bool
    ) { adapter.attachedList?.didRelease() }
  }

  extension ListTableBinding {
    /// Registers the cells of a kind.
    public func register<Cell: UITableViewCell>(_ type: Cell.Type, for kind: CellKind) {
      tableView.register(type, forCellReuseIdentifier: kind.rawValue)
      adapter.registered.insert(kind)
    }

    /// Registers the cells of a kind by a nib.
    public func register(_ nib: UINib, for kind: CellKind) {
      tableView.register(nib, forCellReuseIdentifier: kind.rawValue)
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
      tableView.dataSource = screen ?? self
      tableView.delegate = screen ?? self
      adapter.list.attach(adapter)
    }

    /// Attaches the view again if another one took its place meanwhile.
    func attachIfNeeded() { if !adapter.isDetached, !adapter.isAttached { attach() } }

    /// Detaches the table, which is empty afterwards. Swipe actions and controls that are still shown do nothing.
    public func detach() {
      adapter.detach()
      if tableView.delegate === screen ?? self { tableView.delegate = nil }
      if tableView.dataSource === screen ?? self { tableView.dataSource = nil }
      tableView.reloadData()
    }

    /// Reports the width and the visible rows after layout. Call it in `viewDidLayoutSubviews` of your view controller.
    public func didLayOut() { adapter.didLayOut() }
  }
#endif
