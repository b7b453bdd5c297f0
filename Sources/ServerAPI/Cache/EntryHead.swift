internal import Support

/// Everything in an entry except its key, variant and body, encoded as one blob.
enum EntryHead {
  case response(Response)
  /// The owner's header of plain bytes, and when they were stored.
  case plain([UInt8], storedAt: Double)

  /// A response without its body.
  struct Response {
    var status: Int
    var headers: HTTPHeaders
    /// The address of the request, with secrets masked; `nil` if it is the text of the key.
    var url: String?
    var requestedAt: Double
    var receivedAt: Double
    var selectors: [StoredResponse.Selector]
    var version: Int
  }

  init(_ entry: CacheEntry) {
    switch entry.content {
    case .bytes(let bytes): self = .plain(bytes.head, storedAt: bytes.storedAt)
    case .response(let response):
      let url = response.url.description == entry.key.text ? nil : Redaction.usual.url(response.url)
      self = .response(
        Response(
          status: response.status, headers: response.headers, url: url,
          requestedAt: response.requestedAt, receivedAt: response.receivedAt,
          selectors: response.selectors, version: response.version))
    }
  }

  /// See ``CacheEntry/receivedAt``.
  var receivedAt: Double {
    switch self {
    case .response(let response): response.receivedAt
    case .plain(_, let storedAt): storedAt
    }
  }

  /// Returns the content of the entry. `keyURL` is the text of the key, or its masked form, as an address;
  /// `nil` if it is not an address.
  func content(_ keyURL: WebURL?, body: ResponseBody = ResponseBody()) -> CacheEntry.Content? {
    switch self {
    case .plain(let head, let storedAt):
      return .bytes(CacheBytes(head: head, body: body, storedAt: storedAt))
    case .response(let response):
      let url = response.url == nil ? keyURL : response.url.flatMap({ try? WebURL($0) })
      guard let url else { return nil }
      var stored = StoredResponse(
        status: response.status, headers: response.headers, body: body, url: url,
        requestedAt: response.requestedAt, receivedAt: response.receivedAt,
        selectors: response.selectors)
      stored.version = response.version
      return .response(stored)
    }
  }
}

extension EntryHead {
  /// Decodes a blob. Returns `nil` if it does not have this version.
  init?(_ bytes: [UInt8]) {
    do throws(ByteReader.InvalidBytes) {
      var reader = ByteReader(bytes)
      switch try reader.number() {
      case Kind.response: self = .response(try Response(&reader))
      case Kind.plain: self = .plain(try reader.content(), storedAt: try reader.double())
      default: return nil
      }
      guard reader.isAtEnd else { return nil }
    } catch {
      return nil
    }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .response(let response):
      writer.write(Kind.response)
      response.write(to: &writer)
    case .plain(let head, let storedAt):
      writer.write(Kind.plain)
      writer.write(head)
      writer.write(storedAt)
    }
    return writer.bytes
  }

  /// The first number of a blob. Older versions used 1 and 2.
  private enum Kind {
    static let response = 4
    static let plain = 3
  }
}

extension EntryHead.Response {
  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    status = try reader.number()
    headers = HTTPHeaders(
      try reader.array { (reader) throws(ByteReader.InvalidBytes) in
        HTTPHeaders.Field(name: try reader.text(), value: try reader.text())
      })
    url = try reader.optional { (reader) throws(ByteReader.InvalidBytes) in try reader.text() }
    requestedAt = try reader.double()
    receivedAt = try reader.double()
    selectors = try reader.array { (reader) throws(ByteReader.InvalidBytes) in
      StoredResponse.Selector(
        name: try reader.text(),
        value: try reader.optional { (reader) throws(ByteReader.InvalidBytes) in try reader.text() }
      )
    }
    guard let version = Int(try reader.text()) else { throw ByteReader.InvalidBytes() }
    self.version = version
  }

  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(status)
    writer.write(headers.fields) {
      $0.write($1.name)
      $0.write($1.value)
    }
    writer.write(url) { $0.write($1) }
    writer.write(requestedAt)
    writer.write(receivedAt)
    writer.write(selectors) {
      $0.write($1.name)
      $0.write($1.value) { $0.write($1) }
    }
    writer.write("\(version)")
  }
}
