/// An answer as a cache keeps it.
public struct StoredAnswer: Sendable {
  /// A field that chose this answer among several for one address (`Vary`), with what the request
  /// said in it.
  public struct Selector: Hashable, Sendable {
    /// The name of the field in small letters.
    public var name: String
    /// What the request said, in a form that is the same for wishes that mean the same; `nil` where
    /// it did not have the field. A digest where the field is a secret.
    public var value: String?

    /// Makes a selector.
    public init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// The status code.
  public var status: Int
  /// The fields, without those that belong to one connection.
  public var headers: HTTPHeaders
  /// The decoded body; part of it for an answer with status 206.
  public var body: ResponseBody
  /// The address that was asked.
  public var url: WebURL
  /// When it was asked for, in seconds since 1970.
  public var requestedAt: Double
  /// When it came, or was last confirmed, in seconds since 1970.
  public var receivedAt: Double
  /// What chose it among several.
  public var selectors: [Selector]

  /// Makes a stored answer.
  public init(
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
