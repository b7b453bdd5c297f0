#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Foundation
  internal import UIKit

  /// Reports that the app has left the front, or comes back, until it is stopped.
  @MainActor final class FrontObserver {
    private let observers: [any NSObjectProtocol]

    init(_ report: @escaping @MainActor @Sendable (_ isInFront: Bool) -> Void) {
      let moments = [
        (UIApplication.didEnterBackgroundNotification, false),
        (UIApplication.willEnterForegroundNotification, true),
      ]
      observers = moments.map { name, isInFront in
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
          // UIKit posts these on the main thread.
          MainActor.assumeIsolated { report(isInFront) }
        }
      }
    }

    func stop() {
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
  }
#endif
