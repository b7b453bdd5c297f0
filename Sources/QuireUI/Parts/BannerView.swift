#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// Says something above the rows: a text, or a view of the program. A tap acts on it.
  class BannerView: UIControl {
    let label = UILabel(frame: .zero)
    private var custom: UIView?

    init(onTap: @escaping () -> Void) {
      super.init(frame: .zero)
      backgroundColor = .secondarySystemBackground
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
    func show(_ text: String, _ view: UIView?) {
      if view !== custom {
        custom?.removeFromSuperview()
        custom = view
        if let view { addSubview(view) }
      }
      label.text = view == nil ? text : nil
      setNeedsLayout()
    }

    func size(in width: CGFloat) -> CGSize {
      if let custom { return custom.frame.size }
      let room = CGSize(width: max(0, width - 32), height: .greatestFiniteMagnitude)
      let text = label.sizeThatFits(room)
      return CGSize(width: text.width + 32, height: max(44, text.height + 16))
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      label.frame = CGRect(x: 16, y: 0, width: max(0, bounds.width - 32), height: bounds.height)
      custom?.frame = CGRect(origin: .zero, size: bounds.size)
    }
  }

  /// Says above the rows that they could not be refreshed. A tap tries again.
  final class RefreshFailureView: BannerView {}

  /// Says over the first visible rows how many rows are new above the list. A tap shows them.
  final class NewRowsView: BannerView {}
#endif
