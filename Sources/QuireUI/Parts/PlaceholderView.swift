#if canImport(UIKit)
  internal import Quire
  internal import UIKit

  /// The standard placeholder: picture or spinner, message and button, one below the other.
  final class PlaceholderView: UIView {
    let picture = UIImageView(frame: .zero)
    let message = UILabel(frame: .zero)
    let button = UIButton(type: .system)
    let spinner = UIActivityIndicatorView(style: .medium)
    private var layout = Placeholder.Layout()
    private var offset = 0.0
    private let onAction: () -> Void

    init(onAction: @escaping () -> Void) {
      self.onAction = onAction
      super.init(frame: .zero)
      message.numberOfLines = 0
      message.textAlignment = .center
      message.font = UIFont.preferredFont(forTextStyle: .body)
      message.adjustsFontForContentSizeCategory = true
      for view in [picture, spinner, message, button] { addSubview(view) }
      button.addAction(UIAction { [weak self] _ in self?.onAction() }, for: .touchUpInside)
    }

    required init?(coder: NSCoder) { nil }

    /// Shows other parts.
    func show(_ parts: Placeholder.Content, _ layout: Placeholder.Layout, _ drawing: ListDrawing) {
      self.layout = layout
      offset = parts.offset
      picture.image = parts.image.flatMap(drawing.image)
      picture.isHidden = picture.image == nil
      message.text = parts.message
      message.isHidden = parts.message == nil
      message.textColor = parts.color.flatMap(drawing.color) ?? .secondaryLabel
      button.setTitle(parts.action?.title, for: .normal)
      button.isHidden = parts.action == nil
      spinner.isHidden = !parts.isBusy
      if parts.isBusy { spinner.startAnimating() } else { spinner.stopAnimating() }
      setNeedsLayout()
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      let room = CGSize(width: max(0, bounds.width - 32), height: bounds.height)
      let parts: [UIView] = [picture, spinner, message, button]
      let shown = parts.filter { !$0.isHidden }
      // The first part is centered where the layout says; the others follow below it.
      var top: CGFloat?
      for view in shown {
        let size = view.sizeThatFits(room)
        let width = min(size.width, room.width)
        let y = top ?? layout.center(in: bounds.height, offset: offset) - size.height / 2
        view.frame = CGRect(
          x: (bounds.width - width) / 2, y: y, width: width, height: size.height)
        top = y + size.height + layout.spacing
      }
    }
  }
#endif
