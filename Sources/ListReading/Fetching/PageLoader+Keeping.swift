internal import ServerAPI

extension PageLoader {
  /// Returns the response in the form to keep; `nil` where the list is not kept or the response must not be.
  func responseToKeep(_ response: HTTPResponse, to call: Call, asOf moment: Double)
    -> StoredResponse?
  {
    guard keeps, (call.cache ?? server.configuration.cacheMode) != .noStore else { return nil }
    guard !response.headers.forbidStoring else { return nil }
    var headers = response.headers
    headers.remove("Set-Cookie")
    return StoredResponse(
      status: response.status, headers: headers, body: response.body, url: response.url,
      requestedAt: moment, receivedAt: moment)
  }
}
