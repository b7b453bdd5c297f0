internal import Support

/// Takes secrets out of what people read: logs, commands, error texts, recordings.
///
/// ```swift
/// Redaction().url(url)     // https://api.example.com/books?page=2&api_key=[redacted]
/// ```
///
/// Masked are all request headers except those that describe what is wanted, such as `Accept`; response
/// headers, query parameters, form fields and JSON members whose names look like keys
/// (`Set-Cookie`, `access_token`, `clientSecret` …); and user names and passwords in addresses. It
/// works on names: a secret in a parameter with a harmless name stays. Positions in a list, such as
/// `nextPageToken`, are not secrets.
public struct Redaction: Hashable, Sendable {
  /// What stands where a secret was.
  public static let marker = "[redacted]"

  /// Masks nothing: whoever reads the output can act as the user. For a terminal of your own.
  public static let revealingSecrets = Redaction(names: nil)

  /// The usual rules, made once.
  static let usual = Redaction()

  /// Which names are secret; `nil` masks nothing.
  private let names: SecretNames?

  /// The usual rules, with names of this service that are secret too, or are not.
  public init(alsoSecret: [String] = [], neverSecret: [String] = []) {
    self.init(names: SecretNames(added: alsoSecret, excepted: neverSecret))
  }

  private init(names: SecretNames?) { self.names = names }

  /// The address with its secrets masked.
  public func url(_ url: WebURL) -> String {
    guard let names, let query = url.query else { return url.description }
    let masked = PairMasker(names: names, isWhole: true).mask(Array(query.utf8))
    return url.description.dropLast(query.utf8.count) + String(decoding: masked, as: UTF8.self)
  }

  /// The fields of a request. All values are masked except those of fields that describe what is
  /// wanted (`Accept`, `Range`, `Content-Type`, `If-None-Match` …) and of names declared harmless;
  /// addresses in these have their secrets masked.
  public func headers(of request: HTTPRequest) -> HTTPHeaders {
    masked(request.headers) { name, names in
      names.containsField(name.utf8)
        || FieldNames.mayIdentify(name) && !names.excepts(name.utf8)
    }
  }

  /// The fields of a response: those with key-like names have a masked value, addresses in the
  /// others have their secrets masked.
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

  /// Any text with the secrets of the addresses in it masked.
  public func text(_ text: String) -> String {
    guard let names else { return text }
    let masked = PairMasker(names: names).mask(Array(text.utf8))
    return String(decoding: masked, as: UTF8.self)
  }

  /// The fields of a form, `a=1&b=2`, with secret ones masked.
  public func form(_ bytes: [UInt8]) -> [UInt8] {
    guard let names else { return bytes }
    return PairMasker(names: names, isWhole: true).mask(bytes)
  }

  /// JSON with secret members masked, containers as a whole. Broken JSON is masked as far as its
  /// names can be made out; a value that is cut off is masked to the end.
  public func json(_ bytes: [UInt8]) -> [UInt8] { json(bytes, isCut: false) }

  /// The beginning of a body as text, at most `limit` bytes of it; binary content is described.
  public func body(
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
      + (isCut ? "… (\(bytes.count) bytes in all)" : "")
  }

  /// Names of JSON are looked for in any text, as there may be something before the JSON.
  private func masked(_ bytes: [UInt8], type: String, isCut: Bool) -> [UInt8] {
    let isForm =
      type == "application/x-www-form-urlencoded" || type.isEmpty && Self.looksLikeForm(bytes)
    return isForm ? form(bytes) : json(bytes, isCut: isCut)
  }

  /// Whether a text begins with `name=`.
  private static func looksLikeForm(_ bytes: [UInt8]) -> Bool {
    let name = bytes.prefix { $0.isASCIIAlphanumeric || "-_.~%+[]".utf8.contains($0) }
    return !name.isEmpty && bytes.dropFirst(name.count).first == 0x3D
  }

  private func json(_ bytes: [UInt8], isCut: Bool) -> [UInt8] {
    guard let names else { return bytes }
    var masker = MemberMasker(bytes, names: names)
    return PairMasker(names: names, isCut: isCut).mask(masker.run())
  }

  private static func essence(_ contentType: String?) -> String {
    let type = contentType?.utf8.prefix { $0 != 0x3B && $0 != 0x20 } ?? "".utf8[...]
    return String(decoding: type.map(\.asciiLowercased), as: UTF8.self)
  }

  /// At most `limit` bytes, without the remains of a character that was cut.
  private static func cut(_ bytes: some Collection<UInt8>, _ limit: Int) -> [UInt8] {
    var head = Array(bytes.prefix(max(0, limit)))
    while let last = head.last, last & 0xC0 == 0x80 { head.removeLast() }
    if let last = head.last, last >= 0xC0 { head.removeLast() }
    return head
  }

  private static func isText(_ type: String, _ bytes: [UInt8]) -> Bool {
    // The fields of a multipart body lie between files, where no rule finds them.
    !type.hasPrefix("multipart/") && !bytes.contains(0)
      && String(validating: bytes, as: UTF8.self) != nil
  }
}
