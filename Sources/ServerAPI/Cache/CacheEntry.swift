#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An entry of a cache: a response of a server, or bytes that the program stores next to the responses.
///
/// A store treats both alike. It keeps ``head`` and ``body`` under ``key`` and ``variant``, and recreates the
/// entry with ``init(key:variant:head:body:)``.
package struct CacheEntry: Sendable {
  /// The key of the entry.
  package var key: CacheKey
  /// Distinguishes the entries of one key. An entry replaces an older one with the same key and variant.
  package var variant: String
  package var content: Content

  package enum Content: Sendable {
    case response(StoredResponse)
    case bytes(CacheBytes)
  }

  package init(key: CacheKey, variant: String = "", content: Content) {
    self.key = key
    self.variant = variant
    self.content = content
  }

  /// Creates an entry from the parts that a store has kept. Returns `nil` if `head` is damaged or has another
  /// version.
  package init?(key: CacheKey, variant: String, head: [UInt8], body: ResponseBody) {
    guard let content = EntryHead(head)?.content(try? WebURL(key.text), body: body) else {
      return nil
    }
    self.init(key: key, variant: variant, content: content)
  }

  /// Everything except the key, the variant and the body, in a private format of this package.
  package var head: [UInt8] { EntryHead(self).bytes }
  /// The body of the response, or the bytes.
  package var body: ResponseBody { content.body }
  /// When the response was received or last validated, or the bytes were created.
  package var receivedAt: Date { Date(timeIntervalSince1970: content.receivedAt) }
}

extension CacheEntry {
  /// Describes an entry without its body.
  package struct Listing: Sendable {
    /// The entry without its body. Secrets in the text of its key are masked.
    package let entry: CacheEntry
    /// The size of the entry in the store, in bytes.
    package let bytes: Int
    /// When the entry was last read, to the minute.
    package let usedAt: Date

    /// Creates a listing. Drops the body of the entry and masks secrets in its key.
    package init(_ entry: CacheEntry, bytes: Int, usedAt: Date) {
      self.init(
        entry, address: CacheSelection.masked(entry.key.text), bytes: bytes,
        usedAt: usedAt.timeIntervalSince1970)
    }

    /// - Parameters:
    ///   - address: The text of the key, with secrets masked.
    ///   - usedAt: In seconds since 1970.
    package init(_ entry: CacheEntry, address: String, bytes: Int, usedAt: Double) {
      self.entry = CacheEntry(
        key: CacheKey(entry.key.space, partition: entry.key.partition, address),
        variant: entry.variant, content: entry.content.withoutBody)
      self.bytes = bytes
      self.usedAt = Date(timeIntervalSince1970: usedAt)
    }
  }
}

/// Opaque bytes that only their owner interprets.
package struct CacheBytes: Hashable, Sendable {
  /// A short header for the owner. It is read together with the other metadata, without ``body``.
  package var head: [UInt8]
  package var body: ResponseBody
  /// In seconds since 1970.
  package var storedAt: Double

  package init(head: [UInt8], body: ResponseBody = ResponseBody(), storedAt: Double) {
    self.head = head
    self.body = body
    self.storedAt = storedAt
  }
}

extension CacheEntry {
  package var response: StoredResponse? {
    if case .response(let response) = content { response } else { nil }
  }

  package var bytes: CacheBytes? {
    if case .bytes(let bytes) = content { bytes } else { nil }
  }

  /// The approximate memory of the entry, in bytes: its content and the objects around it.
  var bytesInMemory: Int {
    var bytes = 768 + content.body.count + key.partition.utf8.count + variant.utf8.count
    // The text is also in the address of the response and in the listing.
    bytes += 3 * key.text.utf8.count
    switch content {
    case .bytes(let content): bytes += content.head.count
    case .response(let response):
      for field in response.headers.fields {
        bytes += 64 + field.name.utf8.count + field.value.utf8.count
      }
      for selector in response.selectors {
        bytes += 64 + selector.name.utf8.count + (selector.value?.utf8.count ?? 0)
      }
    }
    return bytes
  }
}

extension CacheEntry.Content {
  var receivedAt: Double {
    switch self {
    case .response(let response): response.receivedAt
    case .bytes(let bytes): bytes.storedAt
    }
  }

  var body: ResponseBody {
    switch self {
    case .response(let response): response.body
    case .bytes(let bytes): bytes.body
    }
  }

  var withoutBody: Self {
    switch self {
    case .response(var response):
      response.body = ResponseBody()
      return .response(response)
    case .bytes(var bytes):
      bytes.body = ResponseBody()
      return .bytes(bytes)
    }
  }
}
