internal import ServerAPI

/// Masks exchanges on their way into a cassette, and requests before they are compared with one.
extension Redaction {
  func masked(_ request: HTTPRequest) throws(RequestError) -> Cassette.Request {
    let bytes = try request.body?.bytes() ?? []
    let type = request.headers["Content-Type"] ?? request.body?.contentType ?? ""
    return Cassette.Request(
      method: request.method.rawValue, url: url(request.url), headers: pairs(headers(of: request)),
      body: Cassette.Body(masked(bytes, type: type)))
  }

  func masked(_ response: HTTPResponse, body: ResponseBody) -> Cassette.Response {
    let bytes = body.withUnsafeBytes { Array($0) }
    return Cassette.Response(
      status: response.status, headers: pairs(headers(of: response)),
      body: Cassette.Body(masked(bytes, type: response.headers["Content-Type"] ?? "")))
  }

  private func pairs(_ fields: HTTPHeaders) -> [[String]] {
    fields.fields.map { [$0.name, $0.value] }
  }

  /// What is text is masked as in logs. A body of fields and files is described, since no rule finds the
  /// secrets in it.
  private func masked(_ bytes: [UInt8], type: String) -> [UInt8] {
    guard !bytes.isEmpty, self != .revealingSecrets else { return bytes }
    let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    let isMultipart = MediaType(type).essence.hasPrefix("multipart/")
    guard isText || isMultipart else { return bytes }
    return Array(body(bytes, contentType: type, limit: .max).utf8)
  }
}
