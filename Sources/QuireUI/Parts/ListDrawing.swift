#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  public import Quire
  public import UIKit

  /// How a binding draws what is around the cells: placeholder, header and footer. Each part has a default, and
  /// each can be replaced.
  ///
  /// ```swift
  /// binding.drawing.footerText = { $0 == .loading ? "One moment…" : nil }
  /// binding.drawing.placeholder = { $0.body == .custom("welcome") ? WelcomeView() : nil }
  /// ```
  @MainActor public struct ListDrawing {
    /// Returns a picture. The default finds those in the program's resources. If it returns `nil` for one at an address,
    /// that is loaded over the server of the list, and drawn when it has arrived.
    public var image: (RowContent.Image) -> UIImage? = { image in
      if case .named(let name) = image { UIImage(named: name) } else { nil }
    }
    /// Returns the color with a name that a placeholder has.
    public var color: (String) -> UIColor? = { UIColor(named: $0) }
    /// Returns the view of a placeholder; `nil` for the standard one. A placeholder with a custom name needs it.
    public var placeholder: (Placeholder) -> UIView? = { _ in nil }
    /// Draws the header. If it is `nil`, a `UIRefreshControl` does; otherwise there is none, and pulls are
    /// measured from scrolling.
    public var header: ((RefreshHeader.State) -> Void)?
    /// The height of a header of the program. The rows stay below it while a refresh runs.
    public var headerHeight: Double = 60
    /// Returns what is shown above rows that could not be refreshed, with its height; `nil` for the text of the list
    /// (``Placeholder/Plan/Texts/refreshFailed``). A tap that it doesn't handle refreshes again.
    public var refreshFailure: (LoadError) -> UIView? = { _ in nil }
    /// Returns what is shown over the first visible rows when others are new above the list, with its size; `nil` for the
    /// text of the list (``Placeholder/Plan/Texts/newRows``). A tap that it doesn't handle shows the new rows.
    public var newRows: (NewRows) -> UIView? = { _ in nil }
    /// Returns the content of the footer; `nil` for the standard one. Taps that it doesn't handle retry or load.
    public var footer: (FooterState) -> UIView? = { _ in nil }
    /// Returns the text of the standard footer. If it is `nil`, the list has the texts (``Placeholder/Plan/Texts``).
    public var footerText: ((FooterState) -> String?)?
    /// The height of the footer.
    public var footerHeight: Double = 56
    /// Returns the view above or below a section; `nil` for its title.
    public var sectionView: (SectionPart, _ section: Int) -> UIView? = { _, _ in nil }

    /// Creates the standard drawing.
    public init() {}
  }

  /// A part of a section around its rows.
  public enum SectionPart: Hashable, Sendable {
    /// Above the rows.
    case header
    /// Below the rows.
    case footer
  }
#endif
