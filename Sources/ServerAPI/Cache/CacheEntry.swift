/// One thing in a cache.
public struct CacheEntry: Sendable {
  /// What is kept.
  public enum Content: Sendable {
    /// A response of a server.
    case answer(StoredAnswer)
    /// What a program keeps for itself.
    case bytes(CacheBytes)
  }

  /// Where it stands.
  public var key: CacheKey
  /// Tells entries of one key apart. An entry takes the place of the one with the same key and variant.
  public var variant: String
  /// What is kept.
  public var content: Content

  /// Makes an entry.
  public init(key: CacheKey, variant: String = "", content: Content) {
    self.key = key
    self.variant = variant
    self.content = content
  }
}

/// Bytes that mean something to their owner alone.
public struct CacheBytes: Hashable, Sendable {
  /// What their owner has to know of them. A few bytes, which are read together with all else that is kept
  /// beside ``body``.
  public var head: [UInt8]
  /// The bytes themselves, many or none.
  public var body: ResponseBody
  /// From when they are, in seconds since 1970.
  public var keptAt: Double

  /// Makes bytes to keep.
  public init(head: [UInt8], body: ResponseBody = ResponseBody(), keptAt: Double) {
    self.head = head
    self.body = body
    self.keptAt = keptAt
  }
}

extension CacheEntry {
  /// The response, where it is one.
  public var answer: StoredAnswer? { content.answer }

  /// The bytes, where it is no response.
  public var bytes: CacheBytes? {
    if case .bytes(let bytes) = content { bytes } else { nil }
  }

  /// When a response came or was last confirmed, or from when the bytes are, in seconds since 1970.
  public var receivedAt: Double { content.receivedAt }

  /// What it takes in memory, in bytes: its content, and about what the objects around it take.
  var bytesInMemory: Int {
    var bytes = 768 + content.body.count + key.partition.utf8.count + variant.utf8.count
    // The text stands in the address of the answer and in the listing too.
    bytes += 3 * key.text.utf8.count
    switch content {
    case .bytes(let content): bytes += content.head.count
    case .answer(let answer):
      for field in answer.headers.fields {
        bytes += 64 + field.name.utf8.count + field.value.utf8.count
      }
      for selector in answer.selectors {
        bytes += 64 + selector.name.utf8.count + (selector.value?.utf8.count ?? 0)
      }
    }
    return bytes
  }
}

extension CacheEntry.Content {
  var answer: StoredAnswer? { if case .answer(let answer) = self { answer } else { nil } }

  var receivedAt: Double {
    switch self {
    case .answer(let answer): answer.receivedAt
    case .bytes(let bytes): bytes.keptAt
    }
  }

  var body: ResponseBody {
    switch self {
    case .answer(let answer): answer.body
    case .bytes(let bytes): bytes.body
    }
  }

  /// The same without its body.
  var withoutBody: Self {
    switch self {
    case .answer(var answer):
      answer.body = ResponseBody()
      return .answer(answer)
    case .bytes(var bytes):
      bytes.body = ResponseBody()
      return .bytes(bytes)
    }
  }
}

/// What a store says of an entry without handing out its body.
public struct CacheListing: Sendable {
  /// What kind of thing it is.
  public var space: CacheKey.Space
  /// Whose it is.
  public var partition: String
  /// The address, secrets masked.
  public var address: String
  /// Tells entries of one address apart.
  public var variant: String
  /// What is kept, its body left out.
  public var content: CacheEntry.Content
  /// What it takes, in bytes.
  public var bytes: Int
  /// When it was last read, in seconds since 1970, to the minute.
  public var usedAt: Double

  /// Makes a listing, as a store does.
  public init(
    space: CacheKey.Space, partition: String, address: String, variant: String,
    content: CacheEntry.Content, bytes: Int, usedAt: Double
  ) {
    self.space = space
    self.partition = partition
    self.address = address
    self.variant = variant
    self.content = content
    self.bytes = bytes
    self.usedAt = usedAt
  }

  /// When a response came or was last confirmed, or from when the bytes are, in seconds since 1970.
  public var receivedAt: Double { content.receivedAt }
}
