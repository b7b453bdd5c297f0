extension RequestError {
  /// The same error, with what is known of the answer it is about.
  func about(_ response: HTTPResponse) -> RequestError {
    var error = self
    error.attempts = response.attempts
    error.timings = response.timings
    if !response.body.isEmpty {
      error.responseBody = response.body.withUnsafeBytes { ResponseBody($0.prefix(4096)) }
    }
    return error
  }
}
