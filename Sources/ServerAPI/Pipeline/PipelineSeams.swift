// Stands in for parts that are written elsewhere; delete this file once they are there.

/// Turns a call into a request.
enum RequestBuilder {
  static func build(
    _ call: Call, base: WebURL, configuration: Server.Configuration
  ) throws(RequestError) -> HTTPRequest {
    var headers = configuration.headers
    headers.merge(call.headers)
    var request = HTTPRequest(
      call.method, call.address.isEmpty ? base : try base.resolving(call.address),
      headers: headers, body: call.body, timeouts: call.timeouts ?? configuration.timeouts,
      limits: call.limits ?? configuration.limits, priority: call.priority)
    request.priorityHandle = call.priorityHandle
    request.receiver = call.receiver
    request.progress = call.progress
    return try request.validated()
  }
}

extension HTTPRequest {
  /// The request, if every part of it may be sent.
  func validated() throws(RequestError) -> HTTPRequest {
    for field in headers.fields {
      guard field.value.utf8.allSatisfy({ $0 != 0x0D && $0 != 0x0A && $0 != 0 }) else {
        throw RequestError(
          .invalidRequest(.init(.headerValue(field.name), "contains a control character")))
      }
    }
    return self
  }
}

/// Finds out whether an answer is a failure.
enum ResponseValidator {
  static func failure(
    of response: HTTPResponse, to request: HTTPRequest, content: ContentPolicy,
    redirects: RedirectPolicy, business: BusinessCheck?
  ) -> RequestError.Kind? {
    guard response.isSuccess else {
      return (300..<400).contains(response.status) ? nil : .status(response.status)
    }
    return business?.failure(response).map { .business(code: $0.code, message: $0.message) }
  }
}

extension RequestError {
  /// The same error, with what is known of the answer it is about.
  func about(_ response: HTTPResponse) -> RequestError { self }
}

extension Server.Configuration {
  /// What contradicts itself, as the error that every call will show.
  func check() -> RequestError? { nil }
}
