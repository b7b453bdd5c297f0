public import Foundation

/// A cell, or the title of a section.
@MainActor open class UICollectionReusableView: UIView {
  public internal(set) var reuseIdentifier: String?
  public override required init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }
  open func prepareForReuse() {}
}

extension UICollectionReusableView: PooledCell {}

/// A cell.
@MainActor open class UICollectionViewCell: UICollectionReusableView {
  open var isSelected = false
  open var contentConfiguration: (any UIContentConfiguration)?
  open override func prepareForReuse() { isSelected = false }
}

/// A cell of a list, which can have accessories.
@MainActor open class UICollectionViewListCell: UICollectionViewCell {
  open var accessories: [UICellAccessory] = []
  open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
}

/// What is beside the content of a list cell.
@MainActor public struct UICellAccessory {
  /// When an accessory is shown.
  public enum DisplayedState: Hashable, Sendable { case always, whenEditing, whenNotEditing }
  /// The side of an accessory.
  public enum Placement { case leading(displayed: DisplayedState), trailing(displayed: DisplayedState) }
  /// The kinds of accessories.
  public enum AccessoryType { case checkmark, customView(UIView) }
  /// An accessory that is a view.
  @MainActor public struct CustomViewConfiguration {
    let customView: UIView
    public init(customView: UIView, placement: Placement) { self.customView = customView }
  }

  public let accessoryType: AccessoryType
  public static func checkmark() -> UICellAccessory { UICellAccessory(accessoryType: .checkmark) }
  public static func customView(configuration: CustomViewConfiguration) -> UICellAccessory {
    UICellAccessory(accessoryType: .customView(configuration.customView))
  }
}
