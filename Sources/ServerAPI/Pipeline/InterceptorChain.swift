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
      (request) async throws(RequestError) -> HTTPResponse in
      try await pass(request, from: index + 1)
    }
  }
}
