internal import Quire

/// Has pages that are posted tried again like any other. A server can't know that nothing is changed by
/// them, and a library must not assume it; whoever reads a list knows.
struct ReadsAgain: Interceptor {
  private let statuses = RetryPolicy().statuses

  func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
    let response: HTTPResponse
    do throws(RequestError) {
      response = try await next(request)
    } catch {
      switch error.kind {
      case .connectionLost, .sendFailed, .timeout(.idle):
        throw RequestError(.retryRequested(after: nil, reason: "the connection was lost"))
      default: throw error
      }
    }
    guard statuses.contains(response.status) else { return response }
    let wait = response.headers["Retry-After"].flatMap { Int($0) }.map { Duration.seconds($0) }
    throw RequestError(
      .retryRequested(after: wait, reason: "the server answered \(response.status)"))
  }
}
