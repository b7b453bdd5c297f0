import QuireTesting

@testable import ServerAPI

/// What tests put into stores.
func sampleEntry(
  _ text: String = "https://api.test/books", partition: String = "", variant: String = "",
  space: CacheKey.Space = .answers, body: ResponseBody = ResponseBody(text: "[]"),
  headers: HTTPHeaders = ["Content-Type": "application/json"], receivedAt: Double = 1_000,
  selectors: [StoredAnswer.Selector] = [], note: [UInt8] = []
) throws -> CacheEntry {
  let answer = StoredAnswer(
    status: 200, headers: headers, body: body, url: try WebURL(text),
    requestedAt: receivedAt - 1, receivedAt: receivedAt, selectors: selectors)
  return CacheEntry(
    key: CacheKey(space, partition: partition, text), variant: variant, answer: answer, note: note)
}

/// A body of that many bytes that are never the same for two numbers.
func sampleBody(_ count: Int, number: Int = 0) -> ResponseBody {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count)
  var random = SeededGenerator(seed: UInt64(number))
  while bytes.count < count {
    withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
  }
  return ResponseBody(bytes.prefix(count))
}

/// Everything in an entry, to be compared.
struct EntryContent: Hashable, CustomStringConvertible {
  var key: CacheKey
  var variant: String
  var status: Int
  var fields: [HTTPHeaders.Field]
  var body: ResponseBody
  var url: String
  var requestedAt: Double
  var receivedAt: Double
  var selectors: [StoredAnswer.Selector]
  var note: [UInt8]

  init(_ entry: CacheEntry) {
    (key, variant, note) = (entry.key, entry.variant, entry.note)
    (status, fields, body) = (entry.answer.status, entry.answer.headers.fields, entry.answer.body)
    (url, selectors) = (entry.answer.url.description, entry.answer.selectors)
    (requestedAt, receivedAt) = (entry.answer.requestedAt, entry.answer.receivedAt)
  }

  var description: String { "\(key.space) \(key.partition) \(key.text) \(variant) \(receivedAt)" }
}

extension CacheStore {
  /// What is under a key, to be compared.
  func contents(_ key: CacheKey) -> Set<EntryContent> {
    Set(entries(for: key).map(EntryContent.init))
  }

  /// The variants under a key.
  func variants(_ key: CacheKey) -> Set<String> { Set(entries(for: key).map(\.variant)) }
}
