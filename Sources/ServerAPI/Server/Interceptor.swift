/// Stands between a call and the network: may change the request, answer it, or ask for another try.
///
/// ```swift
/// struct Signing: Interceptor {
///   func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
///     var signed = request
///     signed.headers["X-Signature"] = signature(of: request)
///     return try await next(signed)
///   }
/// }
/// ```
///
/// Not calling `next` answers the request without the network. Throwing
/// ``RequestError/Kind/retryRequested(after:reason:)`` from a network interceptor asks for another
/// try, which the retry policy grants while attempts and time are left. One that does not return is
/// left behind when the time of the call is over.
///
/// One that turns the request to another origin passes on the fields it set itself and those that
/// describe the wish, as a redirect does (``RedirectPolicy``); every other field stays behind.
public protocol Interceptor: Sendable {
  /// The rest of the way to the server.
  typealias Next = @Sendable (HTTPRequest) async throws(RequestError) -> HTTPResponse

  /// Handles one request.
  func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse
}
