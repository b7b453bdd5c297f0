internal import Support

/// All of an entry that is neither its place nor its body, as one blob.
struct RowHead {
  static let version = 1

  var status: Int
  var headers: HTTPHeaders
  /// The address that was asked, where it is not the text of the key; secrets masked.
  var url: String?
  var requestedAt: Double
  var receivedAt: Double
  var selectors: [StoredAnswer.Selector]
  var note: [UInt8]

  init(_ entry: CacheEntry) {
    let answer = entry.answer
    (status, headers, selectors, note) = (
      answer.status, answer.headers, answer.selectors, entry.note
    )
    (requestedAt, receivedAt) = (answer.requestedAt, answer.receivedAt)
    url = answer.url.description == entry.key.text ? nil : Redaction.usual.url(answer.url)
  }

  /// Reads a blob; `nil` where it is not one of this version.
  init?(_ bytes: [UInt8]) {
    do throws(ByteReader.Broken) {
      var reader = ByteReader(bytes)
      guard try reader.number() == Self.version else { return nil }
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
      note = try reader.content()
      guard reader.isAtEnd else { return nil }
    } catch {
      return nil
    }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.version)
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
    writer.write(note)
    return writer.bytes
  }

  /// The answer again. `keyURL` is the text of the key, or what is shown of it, as an address; `nil`
  /// where there is none to be had.
  func answer(_ keyURL: WebURL?, body: ResponseBody = ResponseBody()) -> StoredAnswer? {
    guard let url = url == nil ? keyURL : url.flatMap({ try? WebURL($0) }) else { return nil }
    return StoredAnswer(
      status: status, headers: headers, body: body, url: url, requestedAt: requestedAt,
      receivedAt: receivedAt, selectors: selectors)
  }
}
