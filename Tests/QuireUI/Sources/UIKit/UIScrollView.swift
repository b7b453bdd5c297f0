public import Foundation

/// Distances from the four sides.
public struct UIEdgeInsets: Equatable, Sendable {
  public var top: CGFloat
  public var left: CGFloat
  public var bottom: CGFloat
  public var right: CGFloat
  public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }
  public static let zero = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)
}

/// Hears how a scroll view moves. The methods are optional in UIKit.
@MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
  func scrollViewDidScroll(_ scrollView: UIScrollView)
  func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
}

extension UIScrollViewDelegate {
  public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
  public func scrollViewDidEndDragging(
    _ scrollView: UIScrollView, willDecelerate decelerate: Bool
  ) {}
}

/// A view that scrolls its content.
@MainActor open class UIScrollView: UIView {
  open weak var delegate: (any UIScrollViewDelegate)?
  open var contentSize = CGSize.zero
  open var contentInset = UIEdgeInsets.zero
  open var alwaysBounceVertical = false
  open var refreshControl: UIRefreshControl? {
    didSet {
      if oldValue !== refreshControl { oldValue?.removeFromSuperview() }
      if let refreshControl { addSubview(refreshControl) }
    }
  }
  /// What the refresh control adds to the top while it is shown, as UIKit's does.
  open var adjustedContentInset: UIEdgeInsets {
    var insets = contentInset
    if let refreshControl, refreshControl.isRefreshing { insets.top += refreshControl.frame.height }
    return insets
  }
  open private(set) var isDragging = false

  open var contentOffset = CGPoint.zero {
    didSet {
      guard contentOffset != oldValue else { return }
      setNeedsLayout()
      delegate?.scrollViewDidScroll(self)
    }
  }

  open override var bounds: CGRect {
    get { CGRect(origin: contentOffset, size: frame.size) }
    set {
      frame.size = newValue.size
      contentOffset = newValue.origin
    }
  }

  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }

  open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
    self.contentOffset = contentOffset
  }

  /// Drags the content, as a finger does, and lets go.
  public func drag(to offset: CGFloat) {
    isDragging = true
    contentOffset = CGPoint(x: 0, y: offset)
    isDragging = false
    delegate?.scrollViewDidEndDragging(self, willDecelerate: false)
    let last = max(0, contentSize.height + contentInset.bottom - frame.height)
    let top = -adjustedContentInset.top
    contentOffset = CGPoint(x: 0, y: min(max(contentOffset.y, top), max(last, top)))
    layoutIfNeeded()
  }
}
