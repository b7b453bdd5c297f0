#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  public import Quire
  public import UIKit

  /// The standard placeholder: picture or spinner, message and button, one below the other.
  ///
  /// A binding shows one by itself. A table with a data source of its own can too:
  ///
  /// ```swift
  /// let view = PlaceholderView { action in reload() }
  /// tableView.backgroundView = view
  /// view.show(Placeholder.Plan().placeholder(for: reason))
  /// ```
  public final class PlaceholderView: UIView {
    let pictureView = UIImageView(frame: .zero)
    let message = UILabel(frame: .zero)
    let button = UIButton(type: .system)
    let spinner = UIActivityIndicatorView(style: .medium)
    private var placeholder: Placeholder?
    private var offset = 0.0
    private var action: Placeholder.Action.Kind?
    private let onAction: (Placeholder.Action.Kind) -> Void

    /// Creates a view that is empty.
    ///
    /// - Parameter onAction: Called with the action that the user chooses.
    public init(onAction: @escaping (Placeholder.Action.Kind) -> Void) {
      self.onAction = onAction
      super.init(frame: .zero)
      message.numberOfLines = 0
      message.textAlignment = .center
      message.font = UIFont.preferredFont(forTextStyle: .body)
      message.adjustsFontForContentSizeCategory = true
      for view in [pictureView, spinner, message, button] { addSubview(view) }
      let chosen = UIAction { [weak self] _ in
        guard let self, let action else { return }
        onAction(action)
      }
      button.addAction(chosen, for: .touchUpInside)
      show(nil)
    }

    /// A placeholder can't be made by a storyboard.
    public required init?(coder: NSCoder) { nil }

    /// Shows the parts of a placeholder. Without one, and where the program has a view of its own for it, nothing is
    /// shown.
    ///
    /// - Parameters:
    ///   - placeholder: The placeholder.
    ///   - drawing: Returns pictures and colors.
    public func show(_ placeholder: Placeholder?, _ drawing: ListDrawing = ListDrawing()) {
      show(placeholder, drawing, drawing.image)
    }

    func show(
      _ placeholder: Placeholder?, _ drawing: ListDrawing,
      _ picture: (RowContent.Image) -> UIImage?
    ) {
      var parts = Placeholder.Content()
      if case .parts(let content) = placeholder?.body { parts = content }
      self.placeholder = placeholder
      action = parts.action?.kind
      offset = parts.offset
      pictureView.image = parts.image.flatMap(picture)
      pictureView.isHidden = pictureView.image == nil
      message.text = parts.message
      message.isHidden = parts.message == nil
      message.textColor = parts.color.flatMap(drawing.color) ?? .secondaryLabel
      button.setTitle(parts.action?.title, for: .normal)
      button.isHidden = parts.action == nil
      spinner.isHidden = !parts.isBusy
      if parts.isBusy { spinner.startAnimating() } else { spinner.stopAnimating() }
      setNeedsLayout()
    }

    /// Places the parts.
    public override func layoutSubviews() {
      super.layoutSubviews()
      guard let placeholder else { return }
      let room = CGSize(width: max(0, bounds.width - 32), height: bounds.height)
      let parts: [UIView] = [pictureView, spinner, message, button]
      let shown = parts.filter { !$0.isHidden }
      // The first part is centered where the layout says; the others follow below it.
      var top: CGFloat?
      for view in shown {
        let size = view.sizeThatFits(room)
        let width = min(size.width, room.width)
        let y = top ?? placeholder.center(in: bounds.height, offset: offset) - size.height / 2
        view.frame = CGRect(
          x: (bounds.width - width) / 2, y: y, width: width, height: size.height)
        top = y + size.height + placeholder.spacing
      }
    }
  }
#endif
