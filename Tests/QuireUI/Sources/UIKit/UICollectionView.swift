public import Foundation

/// A collection: sections of items, one cell for each visible item. It counts items as UIKit's does.
@MainActor open class UICollectionView: UIScrollView {
  /// Where an item is after scrolling to it.
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let top = ScrollPosition(rawValue: 1)
    public static let centeredVertically = ScrollPosition(rawValue: 2)
  }

  public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
  public static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

  open var collectionViewLayout: UICollectionViewLayout {
    didSet {
      collectionViewLayout.collectionView = self
      setNeedsLayout()
    }
  }
  open weak var dataSource: (any UICollectionViewDataSource)? {
    didSet { if dataSource !== oldValue { reloadData() } }
  }
  open var isEditing = false
  open var backgroundView: UIView?

  let cells = CellPool<UICollectionReusableView>()
  var counted = CountedRows(noun: "item")
  var hasCounted = false
  var update: BatchUpdate?
  var drag: (from: IndexPath, to: IndexPath)?
  /// Whether the view is in its call that reports a move to the data source.
  var isDropping = false
  private var viewClasses: [String: AnyClass] = [:]
  private(set) var visible: [IndexPath] = []
  /// The titles that are shown, by kind and section.
  public private(set) var shownTitles: [String: [Int: UICollectionReusableView]] = [:]
  /// The heights of titles at the last layout.
  private var titleHeights: [String: CGFloat] = [:]
  /// The number of batches that were animated.
  public internal(set) var batches = 0

  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
    layout.collectionView = self
  }

  public required init?(coder: NSCoder) { nil }

  var items: (any UICollectionViewDelegate)? { delegate as? any UICollectionViewDelegate }

  open var numberOfSections: Int {
    count()
    return counted.sections.count
  }

  open func numberOfItems(inSection section: Int) -> Int {
    count()
    return counted.sections[section].rows.count
  }

  func counts() -> [Int] {
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
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
    visible = []
    shownTitles = [:]
    for (cell, path) in cells.removeAll() { end(cell, path) }
    setNeedsLayout()
  }

  func end(_ cell: UICollectionReusableView, _ path: IndexPath) {
    cell.removeFromSuperview()
    guard let cell = cell as? UICollectionViewCell else { return }
    items?.collectionView(self, didEndDisplaying: cell, forItemAt: path)
  }

  // MARK: - Cells

  open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
    cells.classes[identifier] = cellClass
  }

  open func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {
    cells.classes[identifier] = nib?.cellClass
  }

  open func register(
    _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String,
    withReuseIdentifier identifier: String
  ) {
    viewClasses[elementKind + identifier] = viewClass
  }

  open func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell {
    let cell = cells.dequeue(identifier) { Self.make($0, identifier) }
    guard let cell = cell as? UICollectionViewCell else {
      fatalError(
        "could not dequeue a view of kind: UICollectionElementKindCell with identifier \(identifier) - must register a nib or a class for the identifier"
      )
    }
    return cell
  }

  open func dequeueReusableSupplementaryView(
    ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionReusableView {
    Self.make(viewClasses[elementKind + identifier], identifier)
  }

  private static func make(_ type: AnyClass?, _ identifier: String) -> UICollectionReusableView {
    guard let type = type as? UICollectionReusableView.Type else {
      fatalError(
        "could not dequeue a view with identifier \(identifier) - must register a nib or a class for the identifier"
      )
    }
    let view = type.init(frame: .zero)
    view.reuseIdentifier = identifier
    return view
  }

  open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    guard counted.contains(indexPath) else { return nil }
    let number = counted.sections[indexPath.section].rows[indexPath.item]
    return cells.shown[number]?.cell as? UICollectionViewCell
  }

  open func supplementaryView(
    forElementKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView? { shownTitles[elementKind]?[indexPath.section] }

  open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    count()
    var y = CGFloat(0)
    for (section, all) in counted.sections.enumerated() {
      y += titleHeights[Self.elementKindSectionHeader + "\(section)"] ?? 0
      for item in all.rows.indices {
        let path = IndexPath(item: item, section: section)
        let height = collectionViewLayout.height(of: path)
        if path == indexPath {
          return UICollectionViewLayoutAttributes(
            CGRect(x: 0, y: y, width: frame.width, height: height))
        }
        y += height
      }
      y += titleHeights[Self.elementKindSectionFooter + "\(section)"] ?? 0
    }
    return nil
  }

  open var indexPathsForVisibleItems: [IndexPath] { visible.shuffled() }

  open func reconfigureItems(at indexPaths: [IndexPath]) {
    count()
    for path in indexPaths {
      guard counted.contains(path) else {
        fatalError(
          "NSInternalInconsistencyException: attempt to reconfigure item \(path), which does not exist"
        )
      }
      guard let cell = cellForItem(at: path) else { continue }
      cells.reconfiguring = cell
      let new = dataSource?.collectionView(self, cellForItemAt: path)
      cells.reconfiguring = nil
      guard new === cell else {
        fatalError(
          "NSInternalInconsistencyException: the cell of an item that is reconfigured must be the existing one"
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
    var (y, shown) = (CGFloat(0), Set<Int>())
    let seen = contentOffset.y...(contentOffset.y + frame.height)
    var paths: [IndexPath] = []
    shownTitles = [:]
    for (section, all) in counted.sections.enumerated() {
      y += title(Self.elementKindSectionHeader, of: section)
      for (item, number) in all.rows.enumerated() {
        let path = IndexPath(item: item, section: section)
        let height = collectionViewLayout.height(of: path)
        if y < seen.upperBound, y + height > seen.lowerBound {
          shown.insert(number)
          paths.append(path)
        }
        y += height
      }
      y += title(Self.elementKindSectionFooter, of: section)
    }
    contentSize = CGSize(width: frame.width, height: y)
    visible = paths
    for (cell, path) in cells.remove(except: shown) { end(cell, path) }
    for path in paths { show(path) }
  }

  /// Shows the title of a section; returns its height.
  private func title(_ kind: String, of section: Int) -> CGFloat {
    let height = collectionViewLayout.titleHeight(kind, of: section)
    titleHeights[kind + "\(section)"] = 0
    guard height > 0 else { return 0 }
    let path = IndexPath(item: 0, section: section)
    guard
      let view = dataSource?.collectionView(
        self, viewForSupplementaryElementOfKind: kind, at: path)
    else {
      fatalError(
        "NSInternalInconsistencyException: the view for a \(kind) of section \(section) is nil")
    }
    shownTitles[kind, default: [:]][section] = view
    let fitted =
      collectionViewLayout.fitsTitles
      ? view.systemLayoutSizeFitting(
        CGSize(width: frame.width, height: 0), withHorizontalFittingPriority: .required,
        verticalFittingPriority: .fittingSizeLevel
      ).height : height
    titleHeights[kind + "\(section)"] = fitted
    return fitted
  }

  private func show(_ path: IndexPath) {
    // A callback of an earlier item may have changed the items.
    guard counted.contains(path) else { return }
    let number = counted.sections[path.section].rows[path.item]
    guard cells.shown[number] == nil else {
      cells.shown[number]?.path = path
      return
    }
    guard let cell = dataSource?.collectionView(self, cellForItemAt: path) else { return }
    cells.shown[number] = (cell, path)
    addSubview(cell)
    items?.collectionView(self, willDisplay: cell, forItemAt: path)
  }
}
