internal import Support

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
  package var headers: HTTPHeaders { didSet { parse() } }
  /// The decoded body; a part of it for status 206.
  package var body: ResponseBody
  /// The address of the request.
  package var url: WebURL
  /// When the request was sent, in seconds since 1970.
  package var requestedAt: Double
  /// When the response was received or last validated, in seconds since 1970.
  package var receivedAt: Double { didSet { parse() } }
  /// The selecting header fields.
  package var selectors: [Selector]
  /// See ``Call/cacheVersion``.
  var version = 0
  private var parsed: Boxed<Parsed>

  /// What each use of the response would have to collect from the fields.
  private struct Parsed {
    var fields: ResponseFields
    /// In seconds since 1970; `nil` without a valid `Date`.
    var date: Double?

    init(_ headers: HTTPHeaders, receivedAt: Double) {
      fields = ResponseFields(headers)
      date = fields.date.flatMap { HTTPDate.seconds($0, now: receivedAt) }
    }
  }

  /// Creates a stored response.
  package init(
    status: Int, headers: HTTPHeaders, body: ResponseBody, url: WebURL, requestedAt: Double,
    receivedAt: Double, selectors: [Selector] = []
  ) {
    self.status = status
    self.headers = headers
    parsed = Boxed(Parsed(headers, receivedAt: receivedAt))
    self.body = body
    self.url = url
    self.requestedAt = requestedAt
    self.receivedAt = receivedAt
    self.selectors = selectors
  }

  /// The fields that a cache needs.
  var fields: ResponseFields {
    _read { yield parsed.value.fields }
  }

  /// `Date` in seconds since 1970.
  var date: Double? { parsed.value.date }

  private mutating func parse() { parsed = Boxed(Parsed(headers, receivedAt: receivedAt)) }
}
