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

/// Interceptors in order, with what stands behind the last of them.
struct InterceptorChain: Sendable {
  let interceptors: [any Interceptor]
  let last: Interceptor.Next

  /// Sends the request through all of them.
  func callAsFunction(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    try await pass(request, from: 0)
  }

  private func pass(
    _ request: HTTPRequest, from index: Int
  ) async throws(RequestError) -> HTTPResponse {
    guard index < interceptors.count else { return try await last(request) }
    return try await interceptors[index].intercept(request) {
      (changed) async throws(RequestError) -> HTTPResponse in
      try await pass(changed.leavingSecrets(of: request), from: index + 1)
    }
  }
}

extension HTTPRequest {
  /// This request without the fields it took over from `given`, where it leads to another origin.
  /// What an interceptor set anew is meant for that origin and stays.
  fileprivate func leavingSecrets(of given: HTTPRequest) -> HTTPRequest {
    guard url.origin != given.url.origin else { return self }
    let own = headers.fields.filter { !given.headers.fields.contains($0) }
    var request = self
    request.headers = HTTPHeaders(
      headers.fields.filter {
        own.contains($0) || FieldNames.mayLeave($0.name, withBody: body != nil)
      })
    return request
  }
}
