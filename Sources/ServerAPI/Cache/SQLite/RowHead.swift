internal import Support

/// All of an entry that is neither its place nor its body, as one blob.
enum RowHead {
  case answer(Answer)
  /// What the owner of plain bytes has to know of them, and from when they are.
  case plain([UInt8], keptAt: Double)

  /// A response without its body.
  struct Answer {
    var status: Int
    var headers: HTTPHeaders
    /// The address that was asked, where it is not the text of the key; secrets masked.
    var url: String?
    var requestedAt: Double
    var receivedAt: Double
    var selectors: [StoredAnswer.Selector]
  }

  init(_ entry: CacheEntry) {
    switch entry.content {
    case .bytes(let bytes): self = .plain(bytes.head, keptAt: bytes.keptAt)
    case .answer(let answer):
      let url = answer.url.description == entry.key.text ? nil : Redaction.usual.url(answer.url)
      self = .answer(
        Answer(
          status: answer.status, headers: answer.headers, url: url,
          requestedAt: answer.requestedAt, receivedAt: answer.receivedAt,
          selectors: answer.selectors))
    }
  }

  /// See ``CacheEntry/receivedAt``.
  var receivedAt: Double {
    switch self {
    case .answer(let answer): answer.receivedAt
    case .plain(_, let keptAt): keptAt
    }
  }

  /// The content again. `keyURL` is the text of the key, or what is shown of it, as an address; `nil`
  /// where there is none to be had.
  func content(_ keyURL: WebURL?, body: ResponseBody = ResponseBody()) -> CacheEntry.Content? {
    switch self {
    case .plain(let head, let keptAt):
      return .bytes(CacheBytes(head: head, body: body, keptAt: keptAt))
    case .answer(let answer):
      let url = answer.url == nil ? keyURL : answer.url.flatMap({ try? WebURL($0) })
      guard let url else { return nil }
      return .answer(
        StoredAnswer(
          status: answer.status, headers: answer.headers, body: body, url: url,
          requestedAt: answer.requestedAt, receivedAt: answer.receivedAt,
          selectors: answer.selectors))
    }
  }
}

extension RowHead {
  /// Reads a blob; `nil` where it is not one of this version.
  init?(_ bytes: [UInt8]) {
    do throws(ByteReader.Broken) {
      var reader = ByteReader(bytes)
      switch try reader.number() {
      case Kind.answer: self = .answer(try Answer(&reader))
      case Kind.plain: self = .plain(try reader.content(), keptAt: try reader.double())
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
    case .answer(let answer):
      writer.write(Kind.answer)
      answer.write(to: &writer)
    case .plain(let head, let keptAt):
      writer.write(Kind.plain)
      writer.write(head)
      writer.write(keptAt)
    }
    return writer.bytes
  }

  /// The first number of a blob. 1 was that of an older version.
  private enum Kind {
    static let answer = 2
    static let plain = 3
  }
}

extension RowHead.Answer {
  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.Broken) {
    status = try reader.number()
    headers = HTTPHeaders(
      try reader.array { (reader) throws(ByteReader.Broken) in
        HTTPHeaders.Field(name: try reader.text(), value: try reader.text())
      })
    url = try reader.optional { (reader) throws(ByteReader.Broken) in try reader.text() }
    requestedAt = try reader.double()
    receivedAt = try reader.double()
    selectors = try reader.array { (reader) throws(ByteReader.Broken) in
      StoredAnswer.Selector(
        name: try reader.text(),
        value: try reader.optional { (reader) throws(ByteReader.Broken) in try reader.text() })
    }
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
  }
}
