public import Foundation

/// Decides where items are. Here, every layout is one column.
@MainActor open class UICollectionViewLayout {
  public internal(set) weak var collectionView: UICollectionView?
  public init() {}
  open func invalidateLayout() { collectionView?.setNeedsLayout() }
  func height(of path: IndexPath) -> CGFloat { 44 }
  func titleHeight(_ kind: String, of section: Int) -> CGFloat { 0 }
  /// Whether titles have the height that their constraints give.
  var fitsTitles: Bool { false }
}

/// A layout that asks for the size of each item.
@MainActor open class UICollectionViewFlowLayout: UICollectionViewLayout {
  open var minimumLineSpacing: CGFloat = 10
  open var itemSize = CGSize(width: 50, height: 50)
  open var sectionInset = UIEdgeInsets.zero

  private var sizes: (any UICollectionViewDelegateFlowLayout)? {
    collectionView?.delegate as? any UICollectionViewDelegateFlowLayout
  }

  override func height(of path: IndexPath) -> CGFloat {
    guard let collectionView, let sizes else { return 50 }
    let size = sizes.collectionView(collectionView, layout: self, sizeForItemAt: path)
    guard size.height.isFinite, size.width.isFinite else {
      fatalError("NSInternalInconsistencyException: the size of item \(path) is \(size)")
    }
    return size.height
  }

  override func titleHeight(_ kind: String, of section: Int) -> CGFloat {
    guard let collectionView, let sizes else { return 0 }
    return kind == UICollectionView.elementKindSectionHeader
      ? sizes.collectionView(
        collectionView, layout: self, referenceSizeForHeaderInSection: section
      ).height
      : sizes.collectionView(
        collectionView, layout: self, referenceSizeForFooterInSection: section
      ).height
  }
}

/// A layout of sections that are described by values.
@MainActor open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  private let section:
    (_ section: Int, _ environment: any NSCollectionLayoutEnvironment)
      -> NSCollectionLayoutSection?

  public init(
    sectionProvider:
      @escaping @MainActor (
        _ section: Int, _ environment: any NSCollectionLayoutEnvironment
      ) -> NSCollectionLayoutSection?
  ) {
    section = sectionProvider
    super.init()
  }

  /// The description of a section, as the layout gets it.
  public func list(of number: Int) -> UICollectionLayoutListConfiguration? {
    section(number, LayoutEnvironment())?.list
  }

  override var fitsTitles: Bool { true }

  override func titleHeight(_ kind: String, of section: Int) -> CGFloat {
    guard let list = list(of: section) else { return 0 }
    return kind == UICollectionView.elementKindSectionHeader
      ? (list.headerMode == .supplementary ? 28 : 0)
      : (list.footerMode == .supplementary ? 28 : 0)
  }
}

/// Where an item is.
@MainActor public final class UICollectionViewLayoutAttributes {
  public var frame: CGRect
  init(_ frame: CGRect) { self.frame = frame }
}

/// What a layout knows of its surroundings.
@MainActor public protocol NSCollectionLayoutEnvironment {}

private struct LayoutEnvironment: NSCollectionLayoutEnvironment {}

/// The layout of a section.
@MainActor open class NSCollectionLayoutSection {
  let list: UICollectionLayoutListConfiguration

  private init(_ list: UICollectionLayoutListConfiguration) { self.list = list }

  public static func list(
    using configuration: UICollectionLayoutListConfiguration,
    layoutEnvironment: any NSCollectionLayoutEnvironment
  ) -> NSCollectionLayoutSection { NSCollectionLayoutSection(configuration) }
}

/// A section that looks like a table.
@MainActor public struct UICollectionLayoutListConfiguration {
  /// The look of a list.
  public enum Appearance: Int, Sendable { case plain = 0, grouped = 1, insetGrouped = 2 }
  /// Where a title comes from.
  public enum HeaderMode: Int, Sendable { case none = 0, supplementary = 1 }
  /// Where a title comes from.
  public enum FooterMode: Int, Sendable { case none = 0, supplementary = 1 }
  /// Returns the actions of a swipe.
  public typealias SwipeActionsConfigurationProvider =
    (_ indexPath: IndexPath) -> UISwipeActionsConfiguration?

  public var appearance: Appearance
  public var headerMode = HeaderMode.none
  public var footerMode = FooterMode.none
  public var leadingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?
  public var trailingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?

  public init(appearance: Appearance) { self.appearance = appearance }
}
