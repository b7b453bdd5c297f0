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
