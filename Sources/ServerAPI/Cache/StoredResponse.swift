/// An answer as a cache keeps it.
package struct StoredResponse: Sendable {
  /// A field that chose this answer among several for one address (`Vary`), with what the request
  /// said in it.
  package struct Selector: Hashable, Sendable {
    /// The name of the field in small letters.
    package var name: String
    /// What the request said, in a form that is the same for wishes that mean the same; `nil` where
    /// it did not have the field. A digest where the field is a secret.
    package var value: String?

    /// Makes a selector.
    package init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// The status code.
  package var status: Int
  /// The fields, without those that belong to one connection.
  package var headers: HTTPHeaders
  /// The decoded body; part of it for an answer with status 206.
  package var body: ResponseBody
  /// The address that was asked.
  package var url: WebURL
  /// When it was asked for, in seconds since 1970.
  package var requestedAt: Double
  /// When it came, or was last confirmed, in seconds since 1970.
  package var receivedAt: Double
  /// What chose it among several.
  package var selectors: [Selector]

  /// Makes a stored answer.
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
