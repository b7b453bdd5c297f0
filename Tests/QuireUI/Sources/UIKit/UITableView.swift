public import Foundation

/// A table: sections of rows, one cell for each visible row.
///
/// It counts rows as UIKit's does and ends the program after an update that doesn't fit. Cells come from a pool
/// and stay with their rows.
@MainActor open class UITableView: UIScrollView {
  /// The look of a table.
  public enum Style: Int, Sendable { case plain = 0, grouped = 1, insetGrouped = 2 }
  /// How a changed row appears.
  public enum RowAnimation: Int, Sendable { case fade = 0, none = 5, automatic = 100 }
  /// Where a row is after scrolling to it.
  public enum ScrollPosition: Int, Sendable { case none = 0, top = 1, middle = 2, bottom = 3 }

  /// Lets the table or the cell decide about a height.
  public static let automaticDimension: CGFloat = -1

  public let style: Style
  open weak var dataSource: (any UITableViewDataSource)? {
    didSet { if dataSource !== oldValue { reloadData() } }
  }
  open var isEditing = false
  open var backgroundView: UIView?
  open var tableHeaderView: UIView? {
    didSet {
      if oldValue !== tableHeaderView { oldValue?.removeFromSuperview() }
      if let tableHeaderView { addSubview(tableHeaderView) }
      setNeedsLayout()
    }
  }
  open var tableFooterView: UIView? {
    didSet {
      if oldValue !== tableFooterView { oldValue?.removeFromSuperview() }
      if let tableFooterView { addSubview(tableFooterView) }
      setNeedsLayout()
    }
  }

  /// What a plain table adds above a section whose header has a height.
  open var sectionHeaderTopPadding = UITableView.automaticDimension

  let cells = CellPool<UITableViewCell>()
  /// The heights of rows, which are asked for again after a batch and after all rows were reloaded.
  var heights: [Int: CGFloat] = [:]
  private var isShowingCells = false
  private var heightsWidth: CGFloat = 0
  var counted = CountedRows(noun: "row")
  /// Whether rows were counted since they were last reloaded.
  var hasCounted = false
  var update: BatchUpdate?
  var drag: UITableViewDrag?
  /// Whether the view is in its call that reports a move to the data source.
  var isDropping = false
  /// The rows in view, from first to last.
  private(set) var visible: [IndexPath] = []
  /// The number of batches that were animated.
  public internal(set) var batches = 0

  public init(frame: CGRect, style: Style) {
    self.style = style
    super.init(frame: frame)
  }

  public required init?(coder: NSCoder) { nil }

  var rows: (any UITableViewDelegate)? { delegate as? any UITableViewDelegate }

  // MARK: - Rows

  open var numberOfSections: Int {
    count()
    return counted.sections.count
  }

  open func numberOfRows(inSection section: Int) -> Int {
    count()
    return counted.sections[section].rows.count
  }

  func counts() -> [Int] {
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.tableView(self, numberOfRowsInSection: $0)
    }
  }

  func count() {
    guard !hasCounted else { return }
    hasCounted = true
    counted.reload(counts())
  }

  open func reloadData() {
    guard !isDropping else {
      fatalError("reloadData in the middle of the move of a row: the view has not dropped it yet")
    }
    hasCounted = false
    heights = [:]
    visible = []
    for (cell, path) in cells.removeAll() { end(cell, path) }
    setNeedsLayout()
  }

  func end(_ cell: UITableViewCell, _ path: IndexPath) {
    cell.removeFromSuperview()
    rows?.tableView(self, didEndDisplaying: cell, forRowAt: path)
  }

  // MARK: - Cells

  open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
    cells.classes[identifier] = cellClass
  }

  open func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) {
    cells.classes[identifier] = nib?.cellClass
  }

  /// Returns `nil` if nothing is registered for an identifier.
  open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
    guard cells.classes[identifier] != nil else { return nil }
    return dequeueReusableCell(withIdentifier: identifier, for: IndexPath(row: 0, section: 0))
  }

  open func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell {
    cells.dequeue(identifier) { type in
      guard let type = type as? UITableViewCell.Type else {
        fatalError(
          "unable to dequeue a cell with identifier \(identifier) - must register a nib or a class for the identifier"
        )
      }
      return type.init(style: .default, reuseIdentifier: identifier)
    }
  }

  open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
    guard counted.contains(indexPath) else { return nil }
    return cells.shown[counted.sections[indexPath.section].rows[indexPath.row]]?.cell
  }

  open func indexPath(for cell: UITableViewCell) -> IndexPath? {
    cells.shown.values.first { $0.cell === cell }?.path
  }

  open var visibleCells: [UITableViewCell] {
    (indexPathsForVisibleRows ?? []).compactMap { cellForRow(at: $0) }
  }

  open var indexPathsForVisibleRows: [IndexPath]? {
    guard !isShowingCells else {
      fatalError(
        "UITableViewAlertForVisibleCellsAccessDuringUpdate: the table was asked for its visible cells while it updates them"
      )
    }
    return visible
  }

  open func rectForRow(at indexPath: IndexPath) -> CGRect {
    count()
    var y = tableHeaderView?.frame.height ?? 0
    for (section, all) in counted.sections.enumerated() {
      y += titleHeight(section, isHeader: true)
      for row in all.rows.indices {
        let path = IndexPath(row: row, section: section)
        let height = height(at: path)
        if path == indexPath { return CGRect(x: 0, y: y, width: frame.width, height: height) }
        y += height
      }
      y += titleHeight(section, isHeader: false)
    }
    return .zero
  }

  open func reconfigureRows(at indexPaths: [IndexPath]) {
    count()
    for path in indexPaths {
      guard counted.contains(path) else {
        fatalError(
          "NSInternalInconsistencyException: attempt to reconfigure row \(path), which does not exist"
        )
      }
      guard let cell = cellForRow(at: path) else { continue }
      cells.reconfiguring = cell
      let new = dataSource?.tableView(self, cellForRowAt: path)
      cells.reconfiguring = nil
      guard new === cell else {
        fatalError(
          "NSInternalInconsistencyException: the cell of a row that is reconfigured must be the existing one, which has the identifier \(cell.reuseIdentifier ?? "nil")"
        )
      }
    }
    setNeedsLayout()
  }

  // MARK: - Layout

  open override func layoutSubviews() {
    super.layoutSubviews()
    guard window != nil else { return }
    count()
    if heightsWidth != frame.width { heights = [:] }
    heightsWidth = frame.width
    tableHeaderView?.frame.origin.y = 0
    var (y, shown) = (tableHeaderView?.frame.height ?? 0, Set<Int>())
    let seen = contentOffset.y...(contentOffset.y + frame.height)
    var paths: [IndexPath] = []
    for (section, all) in counted.sections.enumerated() {
      y += titleHeight(section, isHeader: true)
      for (row, number) in all.rows.enumerated() {
        let path = IndexPath(row: row, section: section)
        let height = height(at: path)
        if y < seen.upperBound, y + height > seen.lowerBound {
          shown.insert(number)
          paths.append(path)
        }
        y += height
      }
      y += titleHeight(section, isHeader: false)
    }
    if let tableFooterView {
      tableFooterView.frame.origin.y = y
      y += tableFooterView.frame.height
    }
    contentSize = CGSize(width: frame.width, height: y)
    visible = paths
    for (cell, path) in cells.remove(except: shown) { end(cell, path) }
    isShowingCells = true
    for path in paths { show(path) }
    isShowingCells = false
  }

  private func titleHeight(_ section: Int, isHeader: Bool) -> CGFloat {
    let height =
      isHeader
      ? rows?.tableView(self, heightForHeaderInSection: section)
      : rows?.tableView(self, heightForFooterInSection: section)
    guard isHeader, style == .plain, let height, height != 0 else { return max(0, height ?? 0) }
    return max(0, height) + (sectionHeaderTopPadding < 0 ? 22 : sectionHeaderTopPadding)
  }

  private func height(at path: IndexPath) -> CGFloat {
    let number = counted.sections[path.section].rows[path.row]
    if let known = heights[number] { return known }
    let height = newHeight(at: path)
    heights[number] = height
    return height
  }

  private func newHeight(at path: IndexPath) -> CGFloat {
    let height = rows?.tableView(self, heightForRowAt: path) ?? Self.automaticDimension
    guard height.isFinite else {
      fatalError("NSInternalInconsistencyException: row height of \(path) is \(height)")
    }
    return height < 0 ? 44 : height
  }

  private func show(_ path: IndexPath) {
    // A callback of an earlier row may have changed the rows.
    guard counted.contains(path) else { return }
    let number = counted.sections[path.section].rows[path.row]
    guard cells.shown[number] == nil else {
      cells.shown[number]?.path = path
      return
    }
    guard let cell = dataSource?.tableView(self, cellForRowAt: path) else { return }
    cells.shown[number] = (cell, path)
    addSubview(cell)
    rows?.tableView(self, willDisplay: cell, forRowAt: path)
  }
}
