public import Foundation

/// A closure that a control calls.
@MainActor open class UIAction {
  public let title: String
  private let handler: UIActionHandler

  public init(title: String = "", handler: @escaping UIActionHandler) {
    self.title = title
    self.handler = handler
  }

  func perform() { handler(self) }
}

/// Handles a ``UIAction``.
public typealias UIActionHandler = @MainActor (_ action: UIAction) -> Void

/// A view that calls actions on events.
@MainActor open class UIControl: UIView {
  /// What happened to a control.
  public struct Event: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchUpInside = Event(rawValue: 1 << 6)
    public static let valueChanged = Event(rawValue: 1 << 12)
  }

  /// The state that a title is for.
  public struct State: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let normal: State = []
  }

  open var isEnabled = true
  private var actions: [(event: Event, action: UIAction)] = []

  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }

  open func addAction(_ action: UIAction, for controlEvents: Event) {
    actions.append((controlEvents, action))
  }

  /// Calls the actions of an event, as a touch does.
  open func sendActions(for controlEvents: Event) {
    guard isEnabled else { return }
    for (event, action) in actions where !event.isDisjoint(with: controlEvents) {
      action.perform()
    }
  }
}

/// A button with a title.
@MainActor open class UIButton: UIControl {
  /// The look of a button.
  public enum ButtonType: Int, Sendable { case custom = 0, system = 1 }

  public private(set) var currentTitle: String?

  public convenience init(type buttonType: ButtonType) { self.init(frame: .zero) }

  open func setTitle(_ title: String?, for state: UIControl.State) { currentTitle = title }

  open override func sizeThatFits(_ size: CGSize) -> CGSize {
    CGSize(width: CGFloat((currentTitle ?? "").count * 8 + 16), height: 34)
  }
}

/// A text.
@MainActor open class UILabel: UIView {
  open var text: String? {
    didSet { superview?.setNeedsLayout() }
  }
  open var textColor: UIColor?
  open var font: UIFont?
  open var textAlignment = NSTextAlignment.natural
  open var numberOfLines = 1
  open var adjustsFontForContentSizeCategory = false

  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }

  open override func sizeThatFits(_ size: CGSize) -> CGSize {
    let width = CGFloat((text ?? "").count * 8)
    guard width > 0 else { return .zero }
    let lines = numberOfLines == 1 ? 1 : max(1, (width / max(size.width, 1)).rounded(.up))
    return CGSize(width: min(width, size.width), height: lines * 20)
  }
}

/// Where the lines of a text start.
public enum NSTextAlignment: Int, Sendable { case left = 0, center = 1, right = 2, natural = 4 }

/// A view of a picture.
@MainActor open class UIImageView: UIView {
  open var image: UIImage?
  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }
  open override func sizeThatFits(_ size: CGSize) -> CGSize { image?.size ?? .zero }
}

/// A spinner.
@MainActor open class UIActivityIndicatorView: UIView {
  /// The size of a spinner.
  public enum Style: Int, Sendable { case medium = 100, large = 101 }
  public private(set) var isAnimating = false
  open var hidesWhenStopped = true
  public init(style: Style) { super.init(frame: CGRect(x: 0, y: 0, width: 20, height: 20)) }
  public required init?(coder: NSCoder) { nil }
  open func startAnimating() { isAnimating = true }
  open func stopAnimating() { isAnimating = false }
  open override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 20, height: 20) }
}

/// The control that refreshes when a scroll view is pulled down.
@MainActor open class UIRefreshControl: UIControl {
  public private(set) var isRefreshing = false
  public init() {
    guard UIDevice.current.userInterfaceIdiom != .mac else {
      fatalError("UIRefreshControl is not supported when running Catalyst apps in the Mac idiom")
    }
    super.init(frame: CGRect(x: 0, y: 0, width: 320, height: 60))
  }
  public required init?(coder: NSCoder) { nil }
  open func beginRefreshing() { isRefreshing = true }
  open func endRefreshing() { isRefreshing = false }

  /// Pulls it down far enough, as a finger does.
  public func pull() {
    guard !isRefreshing else { return }
    isRefreshing = true
    sendActions(for: .valueChanged)
  }
}

/// The kinds of interfaces.
public enum UIUserInterfaceIdiom: Int, Sendable { case phone = 0, pad = 1, mac = 5 }

/// The device that the program runs on.
@MainActor public final class UIDevice {
  public static let current = UIDevice()
  public var userInterfaceIdiom = UIUserInterfaceIdiom.phone
}
