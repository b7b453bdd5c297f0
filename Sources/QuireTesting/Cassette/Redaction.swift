public import ServerAPI

/// Takes secrets out of what is written down: credentials, cookies, and values whose names look
/// like keys.
public struct Redaction: Hashable, Sendable {
  /// What stands where a secret was.
  public static let marker = "[redacted]"

  /// The default rules.
  public init() {}

  /// The fields with the values of credentials and cookies masked.
  public func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      headers.fields.map { field in
        isSecret(field.name) ? .init(name: field.name, value: Self.marker) : field
      })
  }

  /// The address with the values of key-like parameters masked.
  public func url(_ url: WebURL) -> String {
    guard let query = url.query else { return url.description }
    return url.description.dropLast(query.utf8.count) + self.query(query)
  }

  /// JSON with the values of key-like names masked; other bytes come back as they are.
  public func json(_ bytes: [UInt8]) -> [UInt8] {
    var masker = JSONMasker(bytes, isSecret: isSecret)
    return masker.run()
  }

  private func query(_ text: String) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      return isSecret(String(name)) ? name + "=" + Self.marker : String(pair)
    }.joined(separator: "&")
  }

  private func isSecret(_ name: String) -> Bool {
    let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
    return Self.secretParts.contains { plain.contains($0) }
  }

  private static let secretParts = [
    "authorization", "cookie", "token", "secret", "password", "passwd", "apikey", "signature",
    "session", "credential",
  ]
}
