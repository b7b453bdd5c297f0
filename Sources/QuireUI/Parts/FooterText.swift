#if canImport(UIKit) || canImport(SwiftUI)
  internal import Quire

  extension FooterState {
    /// The text of the standard footer; `nil` for none, and while a spinner is shown in its place.
    var standardText: String? {
      switch self {
      case .hidden, .loading: nil
      case .idle: "Load more"
      case .triggered: "Release to load more"
      case .failed: "The next page could not be loaded. Tap to try again."
      case .noMore(.complete): "No more rows"
      case .noMore(.incomplete): "The list ends here, but rows may be missing"
      }
    }
  }
#endif
