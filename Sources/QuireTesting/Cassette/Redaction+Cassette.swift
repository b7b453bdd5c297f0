internal import ServerAPI

/// Masks exchanges on their way into a cassette, and requests before they are compared with one.
extension Redaction {
  func masked(_ request: HTTPRequest) throws(RequestError) -> Cassette.Request {
    let bytes = try request.body?.bytes() ?? []
    let type = request.headers["Content-Type"] ?? request.body?.contentType ?? ""
    return Cassette.Request(
      method: request.method.rawValue, url: url(request.url), headers: pairs(request.headers),
      body: Cassette.Body(masked(bytes, type: type)))
  }

  func masked(_ response: HTTPResponse, body: ResponseBody) -> Cassette.Response {
    let bytes = body.withUnsafeBytes { Array($0) }
    return Cassette.Response(
      status: response.status, headers: pairs(response.headers),
      body: Cassette.Body(masked(bytes, type: response.headers["Content-Type"] ?? "")))
  }

  private func pairs(_ fields: HTTPHeaders) -> [[String]] {
    headers(fields).fields.map { [$0.name, $0.value] }
  }

  /// Forms are masked as a query is, everything that begins like JSON as JSON.
  private func masked(_ bytes: [UInt8], type: String) -> [UInt8] {
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
      let prefix = "https://form/?"
      let text = String(decoding: bytes, as: UTF8.self)
      guard let form = try? WebURL(prefix + text) else { return Array(Self.marker.utf8) }
      return Array(url(form).utf8.dropFirst(prefix.utf8.count))
    }
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    return isJSON ? json(bytes) : bytes
  }
}
