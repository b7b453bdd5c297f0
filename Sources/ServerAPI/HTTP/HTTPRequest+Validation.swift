internal import Support

extension HTTPRequest {
  /// Rejects a method or a header field that could change the rest of the message on the wire, and fields
  /// that frame the message. The error names the place and never repeats a value.
  ///
  /// Every transport calls this first, so that a line break in a value can never become a second request.
  public func checkFields() throws(RequestError) {
    if isChecked { return }
    try Self.check(method)
    for field in headers.fields { try Self.check(field) }
  }

  /// Trims field values; throws an error that names the first part that can't be sent.
  ///
  /// Runs before each request goes to the transport, also after interceptors have changed it.
  mutating func validate() throws(RequestError) {
    if isChecked { return }
    try checkFields()
    try Self.check(body, with: method)
    if headers.fields.contains(where: { Self.needsTrimming($0.value.utf8) }) {
      headers = HTTPHeaders(
        headers.fields.map { .init(name: $0.name, value: String($0.value.withoutBlanks)) })
    }
    markChecked()
  }

  static func check(_ method: HTTPMethod) throws(RequestError) {
    let name = method.rawValue.utf8
    guard !name.isEmpty, name.count <= 64, name.allSatisfy(\.isTokenByte) else {
      throw WebURL.defect(.method, "must have 1 to 64 letters, digits and symbols such as -._")
    }
    guard method.rawValue != "CONNECT" else {
      throw WebURL.defect(.method, "CONNECT is reserved for the client; set a proxy instead")
    }
  }

  static func check(_ body: RequestBody?, with method: HTTPMethod) throws(RequestError) {
    guard let body else { return }
    guard method.canHaveBody else {
      throw WebURL.defect(.body, "\(method) can't have a body; use QUERY or POST")
    }
    for case .file(let path, let length) in body.pieces
    where length < 0 || path.isEmpty || path.utf8.contains(0) {
      throw WebURL.defect(.body, "a file has an invalid path or a negative length")
    }
  }

  static func check(_ field: HTTPHeaders.Field) throws(RequestError) {
    let name = field.name.utf8
    guard !name.isEmpty, name.count <= 256, name.allSatisfy(\.isTokenByte) else {
      throw WebURL.defect(.headerName, "must have 1 to 256 letters, digits and symbols such as -._")
    }
    guard !isFraming(field.name) else {
      throw WebURL.defect(.headerName, "\(field.name) is set by the client; remove it")
    }
    guard !field.value.utf8.contains(where: { $0.isASCIIControl && $0 != 0x09 }) else {
      throw WebURL.defect(.headerValue(field.name), "contains a control character")
    }
  }

  /// Whether a field determines where the message ends or what happens to its connection.
  private static func isFraming(_ name: String) -> Bool {
    // The length alone decides for nearly every field, without a comparison.
    switch name.utf8.count {
    case 2: name.equalsIgnoringCase("TE")
    case 4: name.equalsIgnoringCase("Host")
    case 6: name.equalsIgnoringCase("Expect")
    case 7: name.equalsIgnoringCase("Trailer") || name.equalsIgnoringCase("Upgrade")
    case 10: name.equalsIgnoringCase("Connection") || name.equalsIgnoringCase("Keep-Alive")
    case 14: name.equalsIgnoringCase("Content-Length")
    case 16: name.equalsIgnoringCase("Proxy-Connection")
    case 17: name.equalsIgnoringCase("Transfer-Encoding")
    default: false
    }
  }

  private static func needsTrimming(_ value: String.UTF8View) -> Bool {
    value.first?.isBlank ?? false || value.last?.isBlank ?? false
  }
}

extension HTTPMethod {
  /// Whether a request with this method may have a body.
  var canHaveBody: Bool { self != .get && self != .head }
}

extension UInt8 {
  /// Whether the byte may occur in a method, field name or media type (RFC 9110, section 5.6.2).
  var isTokenByte: Bool {
    switch self {
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: isASCIIAlphanumeric
    }
  }
}
