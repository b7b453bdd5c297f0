import Quire
import QuireTesting
import Testing

@testable import BookShelf

@MainActor @Suite struct ShelfTests {
  /// Five books, two a page; with `q`, those with that genre.
  private let transport = MockTransport { request in
    let all = [
      (1, "Emma", "novel"), (2, "Dune", "sf"), (3, "Ulysses", "novel"), (4, "Kindred", "sf"),
    ]
    let found = all.filter { request.query["q"] == nil || request.query["q"] == $0.2 }
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    let rows = found.dropFirst(page * 2 - 2).prefix(2).map(ShelfTests.json)
    return .json(#"{"books": [\#(rows.joined(separator: ","))], "total": \#(found.count)}"#)
  }

  private let clock = ManualClock()

  private nonisolated static func json(_ id: Int, _ title: String, _ genre: String) -> String {
    #"{"id": \#(id), "title": "\#(title)", "genre": "\#(genre)"}"#
  }

  private func shelf(_ cache: HTTPCache? = nil) -> Shelf {
    let server = Server("https://test", transport: transport) {
      ($0.cache, $0.cachePartition) = (cache, "reader")
      $0.time = clock.timeSource
      $0.retry = .never
    }
    return Shelf(server) { _ in }
  }

  @Test func `books are grouped by genre, also those of later pages`() async throws {
    let shelf = shelf()
    await shelf.open()
    #expect(shelf.text == "novel\n  1 Emma\nsf\n  2 Dune\n2 books, more to load")
    try await shelf.perform("")
    #expect(
      shelf.text.hasSuffix(
        "novel\n  1 Emma\n  3 Ulysses\nsf\n  2 Dune\n  4 Kindred\n4 books, no more"))
  }

  @Test func `typing sends one request`() async throws {
    let shelf = shelf()
    await shelf.open()
    for words in ["/s", "/sf"] { try await shelf.perform(words) }
    let load = shelf.books.refresh()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(300))
    _ = await load.outcome
    #expect(shelf.books.items.map(\.title) == ["Dune", "Kindred"])
    #expect(transport.requests.map { $0.query["q"] } == [nil, "sf"])
  }

  @Test func `a new book is there at once, and gets its id from the server`() async throws {
    let shelf = shelf()
    await shelf.open()
    let gate = Gate()
    transport.enqueue(.post, "/books", .json(Self.json(9, "Beloved", "novel")).held(by: gate))
    async let added: Void = shelf.perform("+Beloved,novel")
    await gate.reached()
    #expect(shelf.books.items.map(\.id) == [-1, 1, 2])
    gate.open()
    try await added
    #expect(shelf.books.items.map(\.id) == [9, 1, 2])
  }

  @Test func `a book that can't be removed comes back`() async {
    let shelf = shelf()
    await shelf.open()
    transport.enqueue(.delete, "/books/1", .status(500))
    await #expect(throws: RequestError.self) { try await shelf.perform("-1") }
    #expect(shelf.books.items.map(\.id) == [1, 2])
  }

  @Test func `without a network the books of last time are there`() async throws {
    let cache = HTTPCache.memory()
    await shelf(cache).open()
    await cache.flush()
    transport.enqueue(.failure(.offline))
    let later = shelf(cache)
    await later.open()
    #expect(later.text.hasPrefix("novel\n  1 Emma"))
    #expect(later.books.error?.isOffline == true)
  }
}
