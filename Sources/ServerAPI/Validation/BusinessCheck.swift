/// Finds an error of the service inside an answer whose status says success.
public struct BusinessCheck: Sendable {
  /// Returns code and message where the answer is a failure, else `nil`.
  public var failure: @Sendable (HTTPResponse) -> (code: String, message: String)?

  /// Makes a check.
  public init(_ failure: @escaping @Sendable (HTTPResponse) -> (code: String, message: String)?) {
    self.failure = failure
  }
}
