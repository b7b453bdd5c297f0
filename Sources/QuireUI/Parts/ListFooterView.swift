#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// The standard footer: a spinner while a page loads, otherwise a text. A tap loads the next page, or retries
  /// the one that failed.
  final class ListFooterView: LabeledControl {
    let spinner = UIActivityIndicatorView(style: .medium)

    override init(onTap: @escaping () -> Void) {
      super.init(onTap: onTap)
      addSubview(spinner)
    }

    required init?(coder: NSCoder) { nil }

    /// Shows another state, with the text for it.
    func show(_ state: FooterState, _ text: String?, _ drawing: ListDrawing) {
      let view = drawing.footer(state)
      show(text, view)
      let isBusy = view == nil && state == .loading
      spinner.isHidden = !isBusy
      if isBusy { spinner.startAnimating() } else { spinner.stopAnimating() }
    }

    override func layoutSubviews() {
      super.layoutSubviews()
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
