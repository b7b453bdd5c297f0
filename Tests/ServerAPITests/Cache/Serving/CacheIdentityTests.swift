import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct CacheIdentityTests {
  private let store = MemoryCacheStore()
  private let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]

  private func server(
    _ text: String, configure: (inout Server.Configuration) -> Void
  ) -> CachedServer {
    CachedServer([.status(200, fresh, text)], store: store, configure: configure)
  }

  @Test(arguments: [
    "Authorization", "Cookie", "X-Api-Key", "x-session-token", "X-Functions-Key",
    "DD-APPLICATION-KEY", "X-Appwrite-Key", "X-User-Id", "X-Forwarded-User", "Impersonate-User",
    "X-Tenant-Id", "X-Account-Number", "Accept-As", "X-Qzw",
  ])
  func `a response of one user is never served to another`(_ field: String) async throws {
    let ann = server("Ann's") { $0.headers = [field: "ann-secret"] }
    let bob = server("Bob's") { $0.headers = [field: "bob-secret"] }
    let nobody = server("public") { _ in }
    #expect(try await ann.get().bodyText == "Ann's")
    #expect(try await bob.get().bodyText == "Bob's")
    #expect(try await nobody.get().bodyText == "public")
    #expect(try await ann.get().bodyText == "Ann's")
    #expect(ann.requestCount == 1)
  }

  @Test func `a field that does not identify users does not separate them`() async throws {
    let books = server("one") { _ in }
    _ = try await books.get("/books", headers: ["X-Request-Id": "1", "Accept-Language": "en"])
    let again = try await books.get(
      "/books", headers: ["X-Request-Id": "2", "Accept-Language": "de", "Prefer": "a"])
    #expect(again.source.isCache)
  }

  @Test(arguments: [
    ("X-Functions-Key", false), ("X-User-Id", false), ("Impersonate-User", false),
    ("X-Tenant-Id", false), ("X-Account-Number", false), ("Sudo", false), ("Cookie", false),
    ("From", false), ("X-On-Behalf-Of", false), ("X-Run-As", false), ("XUSERID", false),
    ("X-Tenantid", false), ("X-Uid", false), ("X-Version", true), ("X-Page", true),
  ])
  func `a call that may be for another user bypasses the cache of a named user`(
    _ field: String, sharesCache: Bool
  ) async throws {
    let ann = server("Ann's") { $0.cachePartition = "ann" }
    _ = try await ann.get()
    #expect(try await ann.get("/books", headers: [field: "bob"]).source.isCache == sharesCache)
    let requests = ann.requestCount
    let offline = try? await ann.get("/books", .cacheOnly, headers: [field: "bob"])
    #expect((offline != nil) == sharesCache)
    #expect(ann.requestCount == requests, "cacheOnly never uses the network")
  }

  @Test func `users that the transport identifies are separated`() async throws {
    func server(_ identity: String?, _ text: String) -> CachedServer {
      CachedServer(
        MockTransport(playing: [.status(200, fresh, text)], identity: identity), store: store)
    }
    let (ann, bob, nobody) = (server("1", "Ann's"), server("2", "Bob's"), server(nil, "public"))
    for _ in 1...2 {
      #expect(try await ann.get().bodyText == "Ann's")
      #expect(try await bob.get().bodyText == "Bob's")
      #expect(try await nobody.get().bodyText == "public")
    }
    #expect([ann.requestCount, bob.requestCount, nobody.requestCount] == [1, 1, 1])
  }

  @Test func `named users keep their responses after a change of credentials`() async throws {
    let before = server("Ann's") {
      $0.authentication = .bearer("first")
      $0.cachePartition = "ann"
    }
    let after = server("new") {
      $0.authentication = .bearer("second")
      $0.cachePartition = "ann"
    }
    _ = try await before.get()
    #expect(try await after.get().bodyText == "Ann's")
  }

  @Test func `a named user gets stored responses without credentials`() async throws {
    let signedIn = server("Ann's") {
      $0.authentication = .bearer("token")
      $0.cachePartition = "ann"
    }
    _ = try await signedIn.get()
    let requests = Counter()
    let offline = server("never") {
      $0.authentication = .provider { _ in
        requests.add()
        throw RequestError(.offline)
      }
      $0.cachePartition = "ann"
    }
    #expect(try await offline.get().bodyText == "Ann's")
    #expect(requests.value == 0)
    offline.clock.advance(by: .seconds(600))
    #expect(try await offline.get("/books", .networkElseCache).bodyText == "Ann's")
    #expect(requests.value == 1)
  }

  @Test func `without a name, the credentials of a provider separate users`() async throws {
    let ann = server("Ann's") { $0.authentication = .provider { _ in .bearer("ann") } }
    let bob = server("Bob's") { $0.authentication = .provider { _ in .bearer("bob") } }
    #expect(try await ann.get().bodyText == "Ann's")
    #expect(try await bob.get().bodyText == "Bob's")
  }

  @Test func `signing out removes the responses of the user and nothing else`() async throws {
    let ann = server("Ann's") { $0.cachePartition = "ann" }
    let bob = server("Bob's") { $0.cachePartition = "bob" }
    _ = try await ann.get()
    _ = try await bob.get()
    ann.server.cache?.remove(partition: "ann")
    #expect(await ann.server.cache?.contents().map(\.partition) == ["bob"])
  }

  @Test func `another origin is requested anonymously`() async throws {
    let transport = MockTransport { request in
      request.url.host == "api.example.com"
        ? .redirect(to: "https://cdn.example.net/book")
        : .status(200, ["Cache-Control": "max-age=60"], "book")
    }
    let books = CachedServer(transport) { $0.authentication = .bearer("ann") }
    _ = try await books.get()
    #expect(
      await books.server.cache?.contents(prefix: "https://cdn.example.net").map(\.partition) == [""]
    )
  }

  @Test func `texts that Unicode considers equal are two users`() async throws {
    let spellings = ["caf\u{E9}", "cafe\u{301}"]
    let named = spellings.map { name in server(name) { $0.cachePartition = name } }
    let sent = spellings.map { name in server(name) { $0.headers["X-User"] = name } }
    for pair in [named, sent] {
      for (server, spelling) in zip(pair, spellings) {
        #expect(Array(try await server.get().bodyText.utf8) == Array(spelling.utf8))
      }
      #expect(pair.map(\.requestCount) == [1, 1])
    }
  }

  @Test func `a response without a known end is not stored`() async throws {
    let transport = InstantTransport { request in
      var response = HTTPResponse(
        headers: ["Cache-Control": "max-age=60"], body: ResponseBody(text: "half"), url: request.url
      )
      response.endsWithConnection = true
      return .success(response)
    }
    let server = Server("https://api.example.com", transport: transport) {
      $0.cache = HTTPCache(MemoryCacheStore())
    }
    _ = try await server.send(Call("/books"))
    #expect(try await server.send(Call("/books")).source == .network)
  }
}
