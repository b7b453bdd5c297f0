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
    return request
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
    of response: HTTPResponse, content: ContentPolicy, business: BusinessCheck?
  ) -> RequestError.Kind? {
    guard response.isSuccess else { return .status(response.status) }
    return business?.failure(response).map { .business(code: $0.code, message: $0.message) }
  }
}

extension WebURL {
  /// The address as logs and errors show it: values of the query are left out.
  var masked: String {
    guard let query else { return description }
    return description.dropLast(query.utf8.count) + "…"
  }
}
