/// A response as a cache stores it.
package struct StoredResponse: Sendable {
  /// A selecting header field (`Vary`), with the value of the request that the response was received for.
  package struct Selector: Hashable, Sendable {
    /// The name of the field in lowercase.
    package var name: String
    /// The normalized value of the request; `nil` if the request lacked the field. A digest if the field is a
    /// secret.
    package var value: String?

    /// Creates a selector.
    package init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// The status code.
  package var status: Int
  /// The fields, without the connection-specific ones.
  package var headers: HTTPHeaders
  /// The decoded body; a part of it for status 206.
  package var body: ResponseBody
  /// The address of the request.
  package var url: WebURL
  /// When the request was sent, in seconds since 1970.
  package var requestedAt: Double
  /// When the response was received or last validated, in seconds since 1970.
  package var receivedAt: Double
  /// The selecting header fields.
  package var selectors: [Selector]

  /// Creates a stored response.
  package init(
    status: Int, headers: HTTPHeaders, body: ResponseBody, url: WebURL, requestedAt: Double,
    receivedAt: Double, selectors: [Selector] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.requestedAt = requestedAt
    self.receivedAt = receivedAt
    self.selectors = selectors
  }
}
