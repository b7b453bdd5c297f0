internal import Support

/// Identifies entries of a cache by kind, owner and address.
public struct CacheKey: Hashable, Sendable {
  /// The kind of an entry. Entries of two kinds never share a key.
  public enum Space: String, Hashable, Sendable, CaseIterable {
    /// Responses of servers.
    case responses
    /// Bytes that a program stores next to the responses, such as the state of a list.
    case bytes
  }

  /// The kind of the entry.
  public var space: Space
  /// The owner: a name that the program gave, or a digest of credentials. Never a secret itself.
  public var partition: String
  /// The complete address. It may contain secrets; a store that outlives the process keeps a digest instead.
  public var text: String

  /// Creates a key.
  public init(_ space: Space, partition: String = "", _ text: String) {
    self.space = space
    self.partition = partition
    self.text = text
  }

  /// The key of the responses to a request. A program's name for a request follows its address as a fragment,
  /// which no other key has.
  ///
  /// A server need not send `Vary` with a response that HTTP doesn't cache, so that all header fields count
  /// that may change the response. The partition stands for credentials.
  init(_ request: HTTPRequest, partition: String, ignoring fields: Set<String>, salt: [UInt8]) {
    var text = request.url.description
    if let name = request.cacheKey {
      var asked = Array("\(request.method)\n".utf8)
      let names = fields.union(Self.fieldsOfTransfer)
      for field in request.headers.fields where !names.contains(field.name.asciiLowercased) {
        asked += "\(field.name.asciiLowercased):\(field.value)\n".utf8
      }
      for case .bytes(let bytes) in request.body?.pieces ?? [] { asked += bytes }
      text += "#\(name) \(SHA256.name(of: asked, salt: salt))"
    }
    self.init(.responses, partition: partition, text)
  }

  /// The lowercase names of fields that say how a request is sent, not what it asks for.
  private static let fieldsOfTransfer: Set<String> = [
    "accept-encoding", "authorization", "cache-control", "connection", "cookie", "date",
    "idempotency-key", "pragma", "proxy-authorization", "traceparent", "tracestate", "user-agent",
    "x-correlation-id", "x-request-id",
  ]

  /// Compares the bytes of the texts: two users may have names that Unicode considers equal.
  public static func == (a: CacheKey, b: CacheKey) -> Bool {
    a.space == b.space && a.text.hasSameBytes(as: b.text)
      && a.partition.hasSameBytes(as: b.partition)
  }
}
