/// Which redirects are followed.
public struct RedirectPolicy: Hashable, Sendable {
  /// Hops of one call. The default is 10; `0` returns the redirect as the answer.
  public var maximum = 10

  /// The defaults.
  public init() {}
}
