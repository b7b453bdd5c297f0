extension RequestError {
  /// An answer that was refused, with what is known of it.
  init(_ kind: Kind, request: String, response: HTTPResponse) {
    self.init(kind, request: request, attempts: response.attempts, timings: response.timings)
    if !response.body.isEmpty {
      responseBody = response.body.withUnsafeBytes { ResponseBody($0.prefix(4096)) }
    }
  }
}
