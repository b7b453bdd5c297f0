import QuireTesting

@testable import ServerAPI

/// Creates a sample entry.
func sampleEntry(
  _ text: String = "https://api.test/books", partition: String = "", variant: String = "",
  space: CacheKey.Space = .responses, body: ResponseBody = ResponseBody(text: "[]"),
  headers: HTTPHeaders = ["Content-Type": "application/json"], receivedAt: Double = 1_000,
  selectors: [StoredResponse.Selector] = [], note: [UInt8] = []
) throws -> CacheEntry {
  let content: CacheEntry.Content =
    switch space {
    case .responses:
      .response(
        StoredResponse(
          status: 200, headers: headers, body: body, url: try WebURL(text),
          requestedAt: receivedAt - 1, receivedAt: receivedAt, selectors: selectors))
    case .bytes: .bytes(CacheBytes(head: note, body: body, storedAt: receivedAt))
    }
  return CacheEntry(
    key: CacheKey(space, partition: partition, text), variant: variant, content: content)
}

/// Creates a pseudorandom body, different for each number.
func sampleBody(_ count: Int, number: Int = 0) -> ResponseBody {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count)
  var random = SeededGenerator(seed: UInt64(number))
  while bytes.count < count {
    withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
  }
  return ResponseBody(bytes.prefix(count))
}

/// The complete content of an entry, for comparisons.
struct EntryContent: Hashable, CustomStringConvertible {
  var key: CacheKey
  var variant: String
  var body: ResponseBody
  var receivedAt: Double
  // For a response.
  var status: Int?
  var fields: [HTTPHeaders.Field]?
  var url: String?
  var requestedAt: Double?
  var selectors: [StoredResponse.Selector]?
  // For bytes.
  var note: [UInt8]?

  init(_ entry: CacheEntry) {
    (key, variant, body) = (entry.key, entry.variant, entry.content.body)
    receivedAt = entry.content.receivedAt
    let response = entry.response
    (status, fields, requestedAt) = (
      response?.status, response?.headers.fields, response?.requestedAt
    )
    (url, selectors) = (response?.url.description, response?.selectors)
    note = entry.bytes?.head
  }

  var description: String { "\(key.space) \(key.partition) \(key.text) \(variant) \(receivedAt)" }
}

extension CacheEntry.Listing {
  var address: String { entry.key.text }
  var receivedAt: Double { entry.content.receivedAt }
}

extension CacheStore {
  /// The content under a key, for comparisons.
  func contents(_ key: CacheKey) -> Set<EntryContent> {
    Set(entries(for: key).map(EntryContent.init))
  }

  /// The variants under a key.
  func variants(_ key: CacheKey) -> Set<String> { Set(entries(for: key).map(\.variant)) }
}
