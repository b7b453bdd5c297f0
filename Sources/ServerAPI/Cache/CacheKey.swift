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

  /// What kind of thing it is.
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
  init(_ request: HTTPRequest, partition: String, salt: [UInt8]) {
    var text = request.url.description
    if let name = request.cacheKey {
      var asked = Array("\(request.method) ".utf8)
      for case .bytes(let bytes) in request.body?.pieces ?? [] { asked += bytes }
      text += "#\(name) \(SHA256.name(of: asked, salt: salt))"
    }
    self.init(.responses, partition: partition, text)
  }

  /// Compares the bytes of the texts: two users may have names that Unicode considers equal.
  public static func == (a: CacheKey, b: CacheKey) -> Bool {
    a.space == b.space && a.text.hasSameBytes(as: b.text)
      && a.partition.hasSameBytes(as: b.partition)
  }
}
