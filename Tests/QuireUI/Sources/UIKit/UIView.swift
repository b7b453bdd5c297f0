@_exported public import Foundation

/// Things that take part in handling events. UIKit's is an `NSObject`, whose initializer no class on the main
/// actor can override on Linux.
@MainActor open class UIResponder {
  public init() {}
}

/// A view: its place among others, its frame, and when it lays out its subviews.
@MainActor open class UIView: UIResponder {
  /// How a picture fills its view.
  public enum ContentMode: Int, Sendable { case scaleToFill = 0, scaleAspectFit = 1 }
  /// What a view changes with the size of its superview.
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
  }

  public private(set) weak var superview: UIView?
  public private(set) var subviews: [UIView] = []
  open var isHidden = false
  open var contentMode = ContentMode.scaleToFill
  open var isUserInteractionEnabled = true
  open var backgroundColor: UIColor?
  open var autoresizingMask: AutoresizingMask = []
  open var accessibilityIdentifier: String?
  private var needsLayout = true

  /// The position in the superview, and the size.
  open var frame: CGRect {
    didSet { if frame.size != oldValue.size { resized(from: oldValue.size) } }
  }

  /// The size, and the scrolled position.
  open var bounds: CGRect {
    get { CGRect(origin: .zero, size: frame.size) }
    set { frame.size = newValue.size }
  }

  open var center: CGPoint {
    get { CGPoint(x: frame.midX, y: frame.midY) }
    set {
      frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2)
    }
  }

  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  public convenience override init() { self.init(frame: .zero) }

  public required init?(coder: NSCoder) { nil }

  /// The window at the top of the superviews.
  open var window: UIWindow? { self as? UIWindow ?? superview?.window }

  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
    setNeedsLayout()
  }

  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  open func sendSubviewToBack(_ view: UIView) {
    guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
    subviews.insert(subviews.remove(at: index), at: 0)
  }

  open func bringSubviewToFront(_ view: UIView) {
    guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
    subviews.append(subviews.remove(at: index))
  }

  // MARK: - Layout

  open func setNeedsLayout() { needsLayout = true }

  open func layoutIfNeeded() {
    if needsLayout {
      needsLayout = false
      layoutSubviews()
    }
    for view in subviews { view.layoutIfNeeded() }
  }

  open func layoutSubviews() {}

  /// Fits constraints. A view without any has no size, as here.
  open func systemLayoutSizeFitting(
    _ targetSize: CGSize, withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
    verticalFittingPriority: UILayoutPriority
  ) -> CGSize { .zero }

  /// Whether changes are shown at once.
  public private(set) static var isWithoutAnimation = false

  open class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
    let before = UIView.isWithoutAnimation
    UIView.isWithoutAnimation = true
    actionsWithoutAnimation()
    UIView.isWithoutAnimation = before
  }

  open func sizeThatFits(_ size: CGSize) -> CGSize { frame.size }

  private func resized(from old: CGSize) {
    needsLayout = true
    for view in subviews {
      if view.autoresizingMask.contains(.flexibleWidth) {
        view.frame.size.width += frame.width - old.width
      }
      if view.autoresizingMask.contains(.flexibleHeight) {
        view.frame.size.height += frame.height - old.height
      }
    }
  }

  // MARK: - Touches

  open private(set) var gestureRecognizers: [UIGestureRecognizer]?

  open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
    gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
  }

  /// Returns the view that gets a touch.
  open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    guard !isHidden, isUserInteractionEnabled, bounds.contains(point) else { return nil }
    for view in subviews.reversed() {
      let place = CGPoint(x: point.x - view.frame.minX, y: point.y - view.frame.minY)
      if let hit = view.hitTest(place, with: event) { return hit }
    }
    return self
  }
}

/// Recognizes touches in a view.
@MainActor open class UIGestureRecognizer {
  public init() {}
}

/// Recognizes taps.
@MainActor open class UITapGestureRecognizer: UIGestureRecognizer {}

/// How important a constraint is.
public struct UILayoutPriority: Hashable, RawRepresentable, Sendable {
  public let rawValue: Float
  public init(rawValue: Float) { self.rawValue = rawValue }
  public static let required = UILayoutPriority(rawValue: 1_000)
  public static let fittingSizeLevel = UILayoutPriority(rawValue: 50)
}

/// A touch or another event.
@MainActor public final class UIEvent {}

/// The root of what is on the screen.
@MainActor open class UIWindow: UIView {}

/// A color, by a name in the program's resources.
public final class UIColor: NSObject, @unchecked Sendable {
  let name: String
  public init?(named name: String) {
    guard !name.isEmpty else { return nil }
    self.name = name
  }
  private init(_ name: String) { self.name = name }
  public static let secondaryLabel = UIColor("secondaryLabel")
  public static let secondarySystemBackground = UIColor("secondarySystemBackground")
  public static let systemRed = UIColor("systemRed")
}

/// A picture in the program's resources.
public final class UIImage: NSObject, @unchecked Sendable {
  public let size: CGSize
  public let scale: CGFloat = 1
  public let name: String
  /// A picture of its size in points, as `40x20`.
  public init?(data: Data) {
    let numbers = String(decoding: data, as: UTF8.self).split(separator: "x").compactMap { Double($0) }
    guard numbers.count == 2 else { return nil }
    name = ""
    size = CGSize(width: numbers[0], height: numbers[1])
  }
  /// A symbol of the system.
  public init?(systemName name: String) {
    self.name = name
    size = CGSize(width: 20, height: 20)
  }
  public func byPreparingForDisplay() async -> UIImage? { self }
  public init?(named name: String) {
    guard !name.isEmpty, name != "missing" else { return nil }
    self.name = name
    size = CGSize(width: 40, height: 40)
  }
}

/// How sizes grow with the size of text that a user has chosen.
@MainActor public final class UIFontMetrics {
  public static let `default` = UIFontMetrics()
  /// The chosen size of text, 1 for the usual one.
  public static var textSize: CGFloat = 1
  public func scaledValue(for value: CGFloat) -> CGFloat { value * Self.textSize }
}

/// A font.
public final class UIFont: NSObject, @unchecked Sendable {
  /// What a text is for.
  public struct TextStyle: Hashable, Sendable {
    let name: String
    public static let body = TextStyle(name: "body")
    public static let footnote = TextStyle(name: "footnote")
    public static let headline = TextStyle(name: "headline")
  }
  let style: TextStyle
  init(_ style: TextStyle) { self.style = style }
  public class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont(style) }
}
