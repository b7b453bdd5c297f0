#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  extension SectionPart {
    /// The name that a collection view has for it.
    @MainActor var elementKind: String {
      switch self {
      case .header: UICollectionView.elementKindSectionHeader
      case .footer: UICollectionView.elementKindSectionFooter
      }
    }
  }

  /// The title of a section in a collection view.
  final class SectionTitleView: UICollectionReusableView {
    static let identifier = "Quire.sectionTitle"
    let label = UILabel(frame: .zero)
    private var custom: UIView?

    func show(_ text: String?, _ part: SectionPart, _ view: UIView?) {
      if label.superview == nil {
        label.numberOfLines = 0
        label.adjustsFontForContentSizeCategory = true
        addSubview(label)
      }
      custom?.removeFromSuperview()
      custom = view
      if let view { addSubview(view) }
      label.text = view == nil ? text : nil
      label.font = UIFont.preferredFont(forTextStyle: part == .header ? .headline : .footnote)
      setNeedsLayout()
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      label.frame = CGRect(
        x: 16, y: 0, width: max(0, bounds.width - 32), height: bounds.height)
      custom?.frame = CGRect(origin: .zero, size: bounds.size)
    }

    // Layouts of lists ask for the height in this way. There are no constraints to compute it from.
    override func systemLayoutSizeFitting(
      _ targetSize: CGSize, withHorizontalFittingPriority horizontal: UILayoutPriority,
      verticalFittingPriority vertical: UILayoutPriority
    ) -> CGSize {
      let fitted = custom?.systemLayoutSizeFitting(
        targetSize, withHorizontalFittingPriority: horizontal, verticalFittingPriority: vertical)
      if let fitted, fitted.height > 0 { return fitted }
      return sizeThatFits(targetSize)
    }

    override func sizeThatFits(_ size: CGSize) -> CGSize {
      let room = CGSize(width: max(0, size.width - 32), height: .greatestFiniteMagnitude)
      return CGSize(
        width: size.width,
        height: custom?.sizeThatFits(size).height ?? label.sizeThatFits(room).height + 12)
    }
  }
#endif
