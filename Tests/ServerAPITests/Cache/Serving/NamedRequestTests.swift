import Foundation
import QuireTesting
import TestSupport
import Testing

@testable import ServerAPI

/// Responses to requests that are stored under a name of the program.
@Suite struct NamedRequestTests {
  private func search(
    _ params: Params = ["q": "lem", "page": 1], key: String? = "search", lifetime: Int? = nil,
    configure: (inout Call) -> Void = { _ in }
  ) -> Call {
    var call = Call("/search", method: .post, params: params)
    call.paramsIn = .json
    call.cacheKey = key
    call.cacheLifetime = lifetime.map { .seconds($0) }
    configure(&call)
    return call
  }

  /// A server whose responses are numbered.
  private func books(_ headers: HTTPHeaders = [:], status: Int = 200) -> CachedServer {
    let counter = ResponseCounter()
    return CachedServer(
      MockTransport { _ in .status(status, headers, "\(counter.next() + 1)") }
    ) { $0.cachePartition = "ann" }
  }

  @Test func `a posted search is served while its lifetime lasts, then sent without conditions`()
    async throws
  {
    let books = books(["ETag": "\"1\"", "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"])
    let call = search(lifetime: 60)
    #expect(try await books.server.send(call).bodyText == "1")
    books.clock.advance(by: .seconds(59))
    let served = try await books.server.send(call)
    #expect(served.bodyText == "1")
    #expect(served.source != .network)
    books.clock.advance(by: .seconds(2))
    #expect(try await books.server.send(call).bodyText == "2")
    #expect(books.transport.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
    #expect(books.transport.requests.allSatisfy { $0.headers["If-Modified-Since"] == nil })
  }

  @Test(arguments: [
    ("max-age=10", 20, "2"), ("max-age=100", 20, "1"), ("no-store", 20, "2"), ("no-cache", 20, "2"),
    ("private", 20, "2"), ("private", 60, "1"),
  ])
  func `what the server says about its response takes precedence`(
    control: String, lifetime: Int, second: String
  ) async throws {
    let books = books(["Cache-Control": control])
    _ = try await books.server.send(search(lifetime: lifetime))
    books.clock.advance(by: .seconds(30))
    #expect(try await books.server.send(search(lifetime: lifetime)).bodyText == second)
  }

  @Test func `a body does not count as header fields`() throws {
    let requests: [(fields: [String], body: String)] = [
      (["A"], "x-b:1\nq"), (["A", "B"], "q"), (["A"], "\nx-b:1\nq"), ([], "x-a:1\nx-b:1\nq"),
    ]
    let keys = try requests.map { fields, body in
      var request = HTTPRequest(.post, try WebURL("https://a.example/search"), body: .text(body))
      for name in fields { request.headers.add("X-" + name, "1") }
      request.cacheKey = "search"
      return CacheKey(request, partition: "", ignoring: [], salt: [])
    }
    #expect(Set(keys).count == requests.count)
  }

  @Test func `a lifetime is also for GET, and not for an error`() async throws {
    let books = books()
    var call = Call("/books")
    call.cacheLifetime = .seconds(60)
    _ = try await books.server.send(call)
    #expect(try await books.server.send(call).bodyText == "1")
    let note = try #require(try await books.server.send(call).cacheNotes.last)
    #expect(note.contains("fresh for another 60 s (cacheLifetime)"), "\(note)")
    // Without a lifetime, it has to be validated.
    #expect(try await books.server.send(Call("/books")).bodyText == "2")

    let gone = self.books(status: 410)
    call.acceptsErrorStatuses = true
    _ = try await gone.server.send(call)
    #expect(try await gone.server.send(call).bodyText == "2")
  }

  @Test(
    arguments: [
      (["page": 1, "q": "lem"], "search", true), (["q": "lem", "page": 2], "search", false),
      (["q": "lem", "page": "1"], "search", false), (["q": "lem", "page": 1], "other", false),
      (["q": "lem", "page": 1], nil, false),
    ] as [(Params, String?, Bool)])
  func `the name, the parameters and their types tell two requests apart, their order doesn't`(
    params: Params, key: String?, isSame: Bool
  ) async throws {
    let books = books(["Cache-Control": "max-age=60"])
    _ = try await books.server.send(search())
    let second = try await books.server.send(search(params, key: key))
    #expect((second.bodyText == "1") == isSame)
  }

  @Test func `another user, address or method is another request`() async throws {
    let books = books(["Cache-Control": "max-age=60"])
    _ = try await books.server.send(search())
    let bob = books.server.with { $0.cachePartition = "bob" }
    #expect(try await bob.send(search()).bodyText == "2")
    #expect(try await books.server.send(search { $0.address = "/find" }).bodyText == "3")
    #expect(try await books.server.send(search { $0.method = .query }).bodyText == "4")
    #expect(try await books.server.send(search()).bodyText == "1")
  }

  @Test(arguments: [
    ("Accept-Language", "de", false), ("X-Shop", "berlin", false), ("X-Request-ID", "7", true),
    ("Traceparent", "00-1", true),
  ])
  func `a header field that may change the response is part of the key`(
    name: String, value: String, isSame: Bool
  ) async throws {
    let books = books(["Cache-Control": "max-age=60"])
    _ = try await books.server.send(search())
    let other = try await books.server.send(search { $0.headers[name] = value })
    #expect((other.bodyText == "1") == isSame)
  }

  @Test func `a named request is retried like a GET`() async throws {
    let books = CachedServer([.status(503), .status(200, [:], "found")])
    #expect(try await books.server.send(search()).bodyText == "found")
  }

  @Test func `a named request removes nothing and never serves a GET`() async throws {
    let books = books(["Cache-Control": "max-age=60"])
    #expect(try await books.get("/search").bodyText == "1")
    #expect(try await books.server.send(search()).bodyText == "2")
    #expect(try await books.get("/search").bodyText == "1")
    #expect(try await books.server.send(search(key: nil)).bodyText == "3")
    #expect(try await books.get("/search").bodyText == "4")
    #expect(try await books.server.send(search()).bodyText == "2")
  }

  @Test func `removing an address removes what is named there`() async throws {
    let books = books(["Cache-Control": "max-age=60"])
    let cache = try #require(books.server.cache)
    _ = try await books.server.send(search())
    _ = try await books.server.send(search { $0.address = "/searches" })
    #expect(await cache.contents().count == 2)
    cache.remove(try WebURL("https://api.example.com/search"))
    #expect(await cache.contents().map(\.address).count == 1)
    #expect(try await books.server.send(search()).bodyText == "3")
  }

  @Test(arguments: [201, 204, 206, 300, 304, 404, 410, 500])
  func `only a success is stored`(status: Int) async throws {
    let books = books(["Cache-Control": "max-age=60"], status: status)
    let call = search {
      $0.acceptsErrorStatuses = true
      $0.retry = .never
      $0.redirects = RedirectPolicy()
      $0.redirects?.maximum = 0
    }
    _ = try? await books.server.send(call)
    _ = try? await books.server.send(call)
    #expect(books.requestCount == ([201, 204].contains(status) ? 1 : 2))
  }

  @Test func `modes are those of any call`() async throws {
    let books = books(["Cache-Control": "max-age=60"])
    func send(_ mode: CacheMode) async throws -> String {
      try await books.server.send(search { $0.cache = mode }).bodyText
    }
    await #expect(throws: RequestError.self) { _ = try await send(.cacheOnly) }
    #expect(try await send(.noStore) == "1")
    #expect(try await send(.standard) == "2")
    #expect(try await send(.cacheOnly) == "2")
    #expect(try await send(.reload) == "3")
    #expect(try await send(.revalidate) == "4")
    books.clock.advance(by: .seconds(600))
    #expect(try await send(.cacheElseNetwork) == "4")
  }

  @Test func `a redirect to GET is an ordinary request`() async throws {
    let transport = MockTransport { request in
      request.method == .post
        ? .status(303, ["Location": "/found"])
        : .status(200, ["Cache-Control": "max-age=60"], "found")
    }
    let books = CachedServer(transport) { $0.cachePartition = "ann" }
    for _ in 1...2 { #expect(try await books.server.send(search()).bodyText == "found") }
    #expect(transport.requests.map(\.method) == [.post, .get, .post])
  }

  @Test(arguments: [
    (
      HTTPMethod.delete, "search", nil, false,
      "cacheKey says that the call only reads, but DELETE changes the resource; remove one"
    ),
    (.post, "", nil, false, "cacheKey is empty, expected a name or nil"),
    (.post, "search", -1, false, "cacheLifetime is -1.0 seconds, expected zero or more"),
    (
      .post, "search", nil, true,
      "cacheKey needs a body in memory, but it has the file /rows, which may change; remove one"
    ),
  ])
  func `a contradiction is an error that says what to do`(
    method: HTTPMethod, key: String, lifetime: Int?, hasFile: Bool, problem: String
  ) async {
    let call = search([:], key: key, lifetime: lifetime) {
      $0.method = method
      if hasFile {
        $0.body = RequestBody(pieces: [.file(path: "/rows", length: 1)], contentType: nil)
      }
    }
    let error = await #expect(throws: RequestError.self) { try await books().server.send(call) }
    #expect(error?.kind == .invalidRequest(.init(.configuration, problem)))
  }

  #if SQLITE
    @Test func `it is there at the next start`() async throws {
      let folder = try StoreFolder()
      for expected in ["1", "1"] {
        let store = SQLiteCacheStore(folder: URL(fileURLWithPath: folder.path))
        let books = CachedServer(
          [.status(200, ["Cache-Control": "max-age=60"], "1")], store: store
        ) { $0.cachePartition = "ann" }
        #expect(try await books.server.send(search()).bodyText == expected)
        await store.flush()
      }
      let store = SQLiteCacheStore(folder: URL(fileURLWithPath: folder.path))
      let books = CachedServer([.failure(.offline)], store: store) { $0.cachePartition = "ann" }
      #expect(try await books.server.send(search()).bodyText == "1")
      #expect(books.requestCount == 0)
    }
  #endif
}
