extension Server {
  /// Builds, carries and judges, and nothing else. Stands in for the client pipeline.
  func send(_ call: Call) async throws(RequestError) -> HTTPResponse {
    let request = try RequestBuilder.build(
      call, base: try base.get(), configuration: configuration)
    let response = try await transport.send(request)
    let failure = ResponseValidator.failure(
      of: response, to: request, content: call.content ?? configuration.content,
      redirects: call.redirects ?? configuration.redirects, business: configuration.businessCheck)
    if let failure { throw RequestError(failure, request: "", response: response) }
    return response
  }
}
