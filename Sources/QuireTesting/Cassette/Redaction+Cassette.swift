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

  /// Forms are masked as forms; what says that it is JSON, or begins like it, as JSON.
  private func masked(_ bytes: [UInt8], type: String) -> [UInt8] {
    let essence = MediaType(type).essence
    if essence == "application/x-www-form-urlencoded" { return form(bytes) }
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let isJSON = essence.contains("json") || first == 0x7B || first == 0x5B
    return isJSON ? json(bytes) : bytes
  }
}
