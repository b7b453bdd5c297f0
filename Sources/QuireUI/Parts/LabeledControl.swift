#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import UIKit

  /// A text beside the rows, or a view of the program in its place. A tap acts on it.
  class LabeledControl: UIControl {
    let label = UILabel(frame: .zero)
    /// The view of the program.
    private(set) var custom: UIView?

    init(onTap: @escaping () -> Void) {
      super.init(frame: .zero)
      label.numberOfLines = 0
      label.textAlignment = .center
      label.textColor = .secondaryLabel
      label.font = UIFont.preferredFont(forTextStyle: .footnote)
      label.adjustsFontForContentSizeCategory = true
      addSubview(label)
      addAction(UIAction { _ in onTap() }, for: .touchUpInside)
    }

    required init?(coder: NSCoder) { nil }

    /// Shows a text, or a view of the program.
    func show(_ text: String?, _ view: UIView?) {
      if view !== custom {
        custom?.removeFromSuperview()
        custom = view
        if let view { addSubview(view) }
      }
      label.text = view == nil ? text : nil
      setNeedsLayout()
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      label.frame = CGRect(x: 16, y: 0, width: max(0, bounds.width - 32), height: bounds.height)
      custom?.frame = CGRect(origin: .zero, size: bounds.size)
    }
  }
#endif
