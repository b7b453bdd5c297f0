public import Foundation

/// Posts what happens to the app.
@MainActor open class UIApplication: NSObject {
  public nonisolated static let didEnterBackgroundNotification = NSNotification.Name("didEnterBackground")
  public nonisolated static let willEnterForegroundNotification = NSNotification.Name("willEnterForeground")
}
