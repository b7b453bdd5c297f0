/// Intercepts requests between a call and the network: may change a request, respond to it, or request a
/// retry.
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
/// An interceptor that does not call `next` responds without the network. Throwing
/// ``RequestError/Kind/retryRequested(after:reason:)`` from a network interceptor requests a retry, which the
/// retry policy allows while attempts and time are left. The call does not wait beyond its deadline for an
/// interceptor that does not return.
///
/// An interceptor that changes the origin of a request passes on the fields that it set itself and those that
/// describe the request, as a redirect does (``RedirectPolicy``); all other fields are dropped.
public protocol Interceptor: Sendable {
  /// Sends the request on to the next interceptor, and finally to the server.
  typealias Next = @Sendable (HTTPRequest) async throws(RequestError) -> HTTPResponse

  /// Handles one request.
  func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse
}

/// Interceptors in order, and the function after the last one.
struct InterceptorChain: Sendable {
  let interceptors: [any Interceptor]
  let last: Interceptor.Next

  /// Sends the request through all interceptors.
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
  /// Returns the request without the secret fields of `given` if it has another origin. Fields that an
  /// interceptor has set are intended for that origin and stay.
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
