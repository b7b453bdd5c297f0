#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// The standard footer: a spinner while a page loads, otherwise a text. A tap loads the next page, or retries
  /// the one that failed.
  final class ListFooterView: UIControl {
    let label = UILabel(frame: .zero)
    let spinner = UIActivityIndicatorView(style: .medium)
    /// The view of the program that is shown in place of label and spinner.
    private(set) var custom: UIView?

    init(onTap: @escaping () -> Void) {
      super.init(frame: .zero)
      label.numberOfLines = 0
      label.textAlignment = .center
      label.textColor = .secondaryLabel
      label.font = UIFont.preferredFont(forTextStyle: .footnote)
      label.adjustsFontForContentSizeCategory = true
      addSubview(label)
      addSubview(spinner)
      addAction(UIAction { _ in onTap() }, for: .touchUpInside)
    }

    required init?(coder: NSCoder) { nil }

    /// Shows another state, with the text for it.
    func show(_ state: FooterState, _ text: String?, _ drawing: ListDrawing) {
      let view = drawing.footer(state)
      if view !== custom {
        custom?.removeFromSuperview()
        custom = view
        if let view { addSubview(view) }
      }
      label.text = view == nil ? text : nil
      let isBusy = view == nil && state == .loading
      spinner.isHidden = !isBusy
      if isBusy { spinner.startAnimating() } else { spinner.stopAnimating() }
      setNeedsLayout()
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      custom?.frame = CGRect(origin: .zero, size: bounds.size)
      let width = max(0, bounds.width - 32)
      label.frame = CGRect(x: 16, y: 0, width: width, height: bounds.height)
      let size = spinner.sizeThatFits(bounds.size)
      spinner.frame = CGRect(
        x: (bounds.width - size.width) / 2, y: (bounds.height - size.height) / 2,
        width: size.width, height: size.height)
    }

    /// Returns the footer itself for touches that nothing in it handles, so that it counts them as taps.
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
      let hit = super.hitTest(point, with: event)
      var view = hit
      while let inner = view, inner !== self {
        if inner is UIControl || inner.gestureRecognizers?.isEmpty == false { return hit }
        view = inner.superview
      }
      return hit == nil ? nil : self
    }
  }
#endif
