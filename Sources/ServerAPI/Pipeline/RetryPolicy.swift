/// When a failed exchange is tried again.
public struct RetryPolicy: Hashable, Sendable {
  /// Exchanges in all, the first included. The default is 3.
  public var attempts = 3

  /// The defaults.
  public init() {}
}
