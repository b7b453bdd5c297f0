internal import Support

/// Masks secrets in texts for people: logs, commands, error texts, recordings.
///
/// ```swift
/// Redaction().url(url)     // https://api.example.com/books?page=2&api_key=[redacted]
/// ```
///
/// It masks all request headers except those that describe the request, such as `Accept`; response headers,
/// query parameters, form fields and JSON members whose names look like keys (`Set-Cookie`, `access_token`,
/// `clientSecret` …); and user names and passwords in addresses. It decides by name: a secret in a parameter
/// with a harmless name is not masked. Positions in a list, such as `nextPageToken`, are not secrets.
public struct Redaction: Hashable, Sendable {
  /// The text that replaces a secret.
  package static let marker = "[redacted]"

  /// Masks nothing, so that anyone who reads the output can act as the user. For your own terminal.
  public static let revealingSecrets = Redaction(names: nil)

  /// A shared value with the default rules.
  static let usual = Redaction()

  /// The names of secrets; `nil` masks nothing.
  private let names: SecretNames?

  /// Creates the default rules, with additional names that are secret, and names that are not.
  public init(alsoSecret: [String] = [], neverSecret: [String] = []) {
    self.init(names: SecretNames(added: alsoSecret, excepted: neverSecret))
  }

  private init(names: SecretNames?) { self.names = names }

  /// Returns the address with its secrets masked.
  public func url(_ url: WebURL) -> String {
    guard let names, let query = url.query else { return url.description }
    let masked = PairMasker(names: names, isWhole: true).mask(Array(query.utf8))
    return url.description.dropLast(query.utf8.count) + String(decoding: masked, as: UTF8.self)
  }

  /// Returns the fields of a request. All values are masked except those of fields that describe the request
  /// (`Accept`, `Range`, `Content-Type`, `If-None-Match` …) or were declared harmless; secrets of addresses
  /// in these are masked.
  public func headers(of request: HTTPRequest) -> HTTPHeaders {
    masked(request.headers) { name, names in
      names.containsField(name.utf8)
        || FieldNames.mayIdentify(name) && !names.excepts(name.utf8)
    }
  }

  /// Returns the fields of a response. Values of fields with key-like names are masked, as are the secrets of
  /// addresses in the others.
  public func headers(of response: HTTPResponse) -> HTTPHeaders {
    masked(response.headers) { name, names in names.containsField(name.utf8) }
  }

  private func masked(
    _ headers: HTTPHeaders, where isSecret: (String, SecretNames) -> Bool
  ) -> HTTPHeaders {
    guard let names else { return headers }
    return HTTPHeaders(
      headers.fields.map { field in
        let isMasked = !field.value.isEmpty && isSecret(field.name, names)
        let value = isMasked ? Self.marker : text(field.value)
        return HTTPHeaders.Field(name: field.name, value: value)
      })
  }

  /// Returns a text with the secrets of the addresses in it masked.
  package func text(_ text: String) -> String {
    guard let names else { return text }
    let masked = PairMasker(names: names).mask(Array(text.utf8))
    return String(decoding: masked, as: UTF8.self)
  }

  /// Returns a form, `a=1&b=2`, with secret values masked.
  package func form(_ bytes: [UInt8]) -> [UInt8] {
    guard let names else { return bytes }
    return PairMasker(names: names, isWhole: true).mask(bytes)
  }

  /// Returns JSON with secret members masked, including whole containers. Invalid JSON is masked as far as
  /// its names can be recognized; a truncated value is masked to the end.
  package func json(_ bytes: [UInt8]) -> [UInt8] { json(bytes, isCut: false) }

  /// Returns the first `limit` bytes of a body as text, with secrets masked; binary content is described.
  package func body(
    _ bytes: some Collection<UInt8>, contentType: String?, limit: Int = 1_024
  ) -> String {
    guard !bytes.isEmpty else { return "" }
    let type = Self.essence(contentType)
    let isCut = bytes.count > limit
    let head = isCut ? Self.cut(bytes, limit) : Array(bytes)
    guard Self.isText(type, head) else {
      return "<\(bytes.count) bytes" + (type.isEmpty ? ">" : " of \(type)>")
    }
    let masked = masked(head, type: type, isCut: isCut)
    return String(decoding: masked, as: UTF8.self)
      + (isCut ? "… (\(bytes.count) bytes in total)" : "")
  }

  /// Masks a form, or JSON members in any other text, since something may precede the JSON.
  private func masked(_ bytes: [UInt8], type: String, isCut: Bool) -> [UInt8] {
    let isForm =
      type == "application/x-www-form-urlencoded" || type.isEmpty && Self.looksLikeForm(bytes)
    return isForm ? form(bytes) : json(bytes, isCut: isCut)
  }

  /// Whether a text starts with `name=`.
  private static func looksLikeForm(_ bytes: [UInt8]) -> Bool {
    let name = bytes.prefix { $0.isASCIIAlphanumeric || "-_.~%+[]".utf8.contains($0) }
    return !name.isEmpty && bytes.dropFirst(name.count).first == 0x3D
  }

  private func json(_ bytes: [UInt8], isCut: Bool) -> [UInt8] {
    guard let names else { return bytes }
    return PairMasker(names: names, isCut: isCut).mask(MemberMasker.mask(bytes, names: names))
  }

  private static func essence(_ contentType: String?) -> String {
    let type = contentType?.utf8.prefix { $0 != 0x3B && $0 != 0x20 } ?? "".utf8[...]
    return String(decoding: type.map(\.asciiLowercased), as: UTF8.self)
  }

  /// Returns at most `limit` bytes, without a truncated character at the end.
  private static func cut(_ bytes: some Collection<UInt8>, _ limit: Int) -> [UInt8] {
    var head = Array(bytes.prefix(max(0, limit)))
    while let last = head.last, last & 0xC0 == 0x80 { head.removeLast() }
    if let last = head.last, last >= 0xC0 { head.removeLast() }
    return head
  }

  private static func isText(_ type: String, _ bytes: [UInt8]) -> Bool {
    // No rule finds the fields of a multipart body between its files.
    !type.utf8.starts(with: "multipart/".utf8) && !bytes.contains(0)
      && String(validating: bytes, as: UTF8.self) != nil
  }
}

/// An address whose secrets are masked wherever it is shown: read, printed or inspected.
///
/// It is masked only then, since that takes longer than to record the rest of an exchange, and few records are read.
struct MaskedAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let url: WebURL

  init(_ url: WebURL) { self.url = url }

  var description: String { Redaction.usual.url(url) }

  static func == (a: MaskedAddress, b: MaskedAddress) -> Bool {
    a.url == b.url || a.description == b.description
  }

  func hash(into hasher: inout Hasher) { hasher.combine(description) }

  var customMirror: Mirror { Mirror(self, children: [:]) }
}
