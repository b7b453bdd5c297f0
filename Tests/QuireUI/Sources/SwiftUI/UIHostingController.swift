#if canImport(UIKit)
  public import Foundation
  public import UIKit

  /// A screen that shows a view.
  @MainActor open class UIHostingController<Content: View>: UIViewController {
    public let rootView: Content

    public init(rootView: Content) {
      self.rootView = rootView
      super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { nil }
  }
#endif
