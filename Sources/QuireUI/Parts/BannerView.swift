#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import UIKit

  /// Says something above the rows.
  class BannerView: LabeledControl {
    override init(onTap: @escaping () -> Void) {
      super.init(onTap: onTap)
      backgroundColor = .secondarySystemBackground
    }

    required init?(coder: NSCoder) { nil }

    func size(in width: CGFloat) -> CGSize {
      if let custom { return custom.frame.size }
      let room = CGSize(width: max(0, width - 32), height: .greatestFiniteMagnitude)
      let text = label.sizeThatFits(room)
      return CGSize(width: text.width + 32, height: max(44, text.height + 16))
    }
  }

  /// Says above the rows that they could not be refreshed. A tap tries again.
  final class RefreshFailureView: BannerView {}

  /// Says over the first visible rows how many rows are new above the list. A tap shows them.
  final class NewRowsView: BannerView {}
#endif
