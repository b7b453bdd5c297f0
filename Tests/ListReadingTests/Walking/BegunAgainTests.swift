import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

/// Walks that stop before they know how to request their second page.
@Suite(.timeLimit(.minutes(1))) struct BegunAgainTests {
  /// Serves rows by a cursor, which has to be recognized.
  private final class Shop: Sendable {
    let ids = Lock(Array(1...45))
    let failures = Lock(0)

    var transport: MockTransport {
      MockTransport { [self] request in
        let cursor = request.query["cursor"].flatMap { Int($0) }
        if cursor != nil,
          failures.withLock({
            $0 -= 1; return $0 >= 0
          })
        {
          return .status(500)
        }
        let all = ids.withLock { $0 }
        let page = Array(all.filter { $0 > cursor ?? 0 }.prefix(10))
        let next = page.last.flatMap { $0 == all.last ? nil : "\($0)" } ?? "null"
        return .json(#"{"items":[\#(page.map { #"{"id":\#($0)}"# }.joined(separator: ","))],"next_cursor":\#(next)}"#)
      }
    }
  }

  @Test(arguments: [true, false]) func `no row that moved to the first page is passed over`(isProcess: Bool)
    async throws
  {
    let shop = Shop()
    let server = Server("https://test", transport: shop.transport) { $0.retry = .never }
    shop.failures.withLock { $0 = 1 }
    let walk = PageWalk(server, "/rows")
    var ids: [Int] = []
    let first = try await walk.next()
    ids += first?.rows.compactMap { $0["id"]?.int } ?? []
    await #expect(throws: LoadError.self) { _ = try await walk.next() }
    shop.ids.withLock { $0.removeFirst(3) }
    let checkpoint = try #require(walk.checkpoint.flatMap { PageWalk.Checkpoint(text: $0.text) })
    let rest = isProcess ? PageWalk(server, "/rows", from: checkpoint, knownIDs: ids.map { RowID($0) }) : walk
    while let page = try await rest.next() { ids += page.rows.compactMap { $0["id"]?.int } }
    #expect(Set(ids).isSuperset(of: 4...45), "\(Set(4...45).subtracting(ids).sorted())")
    #expect(ids.count == Set(ids).count && rest.end == .complete)
  }
}
