import QuireTesting
import Testing

@testable import ServerAPI

/// The cache for calls that left their origin, and for users that the service refuses.
@Suite struct CacheDetourTests {
  private static let detour = [
    "https://api.example.com/go": "https://other.example/x",
    "https://other.example/x": "https://api.example.com/private",
  ]

  /// A service that redirects `/go` to another origin and back, and responds with the user that it saw.
  private static func transport() -> MockTransport {
    MockTransport { request in
      if let next = detour[request.url.description] { return .redirect(to: next) }
      return .status(
        200, ["Cache-Control": "private, max-age=600", "Vary": "Authorization"],
        request.headers["Authorization"] ?? "nobody")
    }
  }

  @Test(arguments: [nil, "ann"], [true, false])
  func `a call that returns from another origin neither reads nor stores responses of the user`(
    _ partition: String?, isDetourFirst: Bool
  ) async throws {
    let ann = CachedServer(Self.transport()) {
      $0.authentication = .header("Authorization", "ann")
      $0.cachePartition = partition
    }
    let steps = [("/go", "nobody"), ("/private", "ann")]
    for (address, bodyText) in isDetourFirst ? steps : steps.reversed() {
      #expect(try await ann.get(address).bodyText == bodyText, "\(address)")
    }
    for (address, bodyText) in steps {
      #expect(try await ann.get(address).bodyText == bodyText, "\(address) again")
    }
    let entries = await ann.server.cache?.contents(prefix: "https://api.example.com/private") ?? []
    #expect(entries.contains { $0.partition == "" } == (partition == nil))
    #expect(entries.count == (partition == nil ? 2 : 1))
  }

  @Test
  func `a call to another origin is not stored with network interceptors, which may identify it`()
    async throws
  {
    struct Signing: Interceptor {
      func intercept(
        _ request: HTTPRequest, next: Interceptor.Next
      ) async throws(RequestError) -> HTTPResponse {
        var request = request
        request.headers["X-Signed-By"] = "ann"
        return try await next(request)
      }
    }
    let ann = CachedServer(Self.transport()) {
      $0.networkInterceptors = [Signing()]
      $0.cachePartition = "ann"
    }
    _ = try await ann.get("/go")
    #expect(
      await ann.server.cache?.contents(prefix: "https://api.example.com/private").isEmpty == true)
    #expect(await ann.failure("/go", .cacheOnly) == .notStored)
  }

  @Test func `a background revalidation after a detour sends no credentials`()
    async throws
  {
    let requests = Counter()
    let transport = MockTransport { request in
      if let next = Self.detour[request.url.description] { return .redirect(to: next) }
      requests.add()
      return .status(
        200, ["Cache-Control": "max-age=1, stale-while-revalidate=600"],
        request.headers["Authorization"] ?? "nobody")
    }
    let ann = CachedServer(transport) { $0.authentication = .bearer("ann") }
    _ = try await ann.get("/go")
    ann.clock.advance(by: .seconds(10))
    #expect(try await ann.get("/go").bodyText == "nobody")
    // The background exchange runs in its own task.
    await requests.reaches(2)
    let last = transport.requests.filter { $0.url.path == "/private" }
    #expect(last.allSatisfy { $0.headers["Authorization"] == nil })
  }

  private static let stored = MockResponse.status(
    200, ["Cache-Control": "private, max-age=1, stale-if-error=600"], "Ann's")

  private func signedIn(
    _ responses: [MockResponse],
    provide: @escaping @Sendable (Authentication.Credential?) throws -> Authentication.Credential =
      { _ in .bearer("1") }
  ) async throws -> CachedServer {
    let ann = CachedServer([Self.stored] + responses) {
      $0.authentication = .provider { stale in try provide(stale) }
      $0.cachePartition = "ann"
      $0.retry.attempts = 1
    }
    #expect(try await ann.get().bodyText == "Ann's")
    ann.clock.advance(by: .seconds(10))
    return ann
  }

  private struct SignedOut: Error {}

  @Test func `a refusal stays a refusal if the provider has no other credentials`()
    async throws
  {
    let ann = try await signedIn([.status(401), .status(500)]) { stale in
      if stale != nil { throw SignedOut() }
      return .bearer("1")
    }
    guard case .authentication = await ann.failure() else {
      Issue.record("the stored response was served")
      return
    }
    // The provider is not called now, so the next call fails before it is sent.
    #expect(await ann.failure("/books", .networkElseCache) != nil)
    #expect(await ann.server.cache?.contents().isEmpty == true)
  }

  @Test func `a second refusal is not replaced by the stored response either`() async throws {
    let ann = try await signedIn([.status(401), .status(401), .status(500)])
    #expect(await ann.failure() != nil)
    #expect(await ann.failure() != nil)
  }

  @Test func `a failure after a refusal is not replaced by the stored response`() async throws {
    for failure: MockResponse in [.status(503), .failure(.offline)] {
      let ann = try await signedIn([.status(401), failure])
      #expect(await ann.failure() != nil)
    }
  }

  @Test(arguments: [401, 403])
  func `a response refused to fixed credentials is not served later`(_ status: Int) async throws {
    let ann = CachedServer([Self.stored, .status(status), .failure(.offline)]) {
      $0.authentication = .bearer("1")
      $0.retry.attempts = 1
    }
    _ = try await ann.get()
    ann.clock.advance(by: .seconds(10))
    #expect(await ann.failure() == .status(status))
    #expect(await ann.failure() == .offline)
  }

  @Test(arguments: [CacheMode.reload, .noStore, .revalidate, .networkElseCache])
  func `a refusal removes the stored response in every mode`(_ mode: CacheMode) async throws {
    let languages = ["en", "de"]
    let stored = MockResponse.status(
      200, ["Cache-Control": "private, max-age=600", "Vary": "Accept-Language"], "Ann's")
    let ann = CachedServer([stored, stored, .status(403)]) { $0.cachePartition = "ann" }
    for language in languages {
      _ = try await ann.get("/books", headers: ["Accept-Language": language])
    }
    #expect(await ann.server.cache?.contents().count == 2)
    #expect(await ann.failure("/books", mode) == .status(403))
    #expect(await ann.server.cache?.contents().isEmpty == true)
  }

  @Test func `a refused download removes the stored response too`() async throws {
    let ann = CachedServer([Self.stored, .status(401)]) { $0.cachePartition = "ann" }
    _ = try await ann.get()
    await #expect(throws: RequestError.self) {
      try await ann.server.stream(Call("/books")) { _ in }
    }
    #expect(await ann.server.cache?.contents().isEmpty == true)
  }

  @Test func `a rate limit keeps the stored response`() async throws {
    let ann = CachedServer([
      Self.stored,
      .status(403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"]), .failure(.offline),
    ]) { $0.retry.attempts = 1 }
    _ = try await ann.get()
    ann.clock.advance(by: .seconds(10))
    #expect(await ann.failure() == .rateLimited(wait: .seconds(1)))
    ann.clock.advance(by: .seconds(10))
    #expect(try await ann.get().bodyText == "Ann's")
  }

  @Test func `a refusal that an interceptor hides removes the stored response too`() async throws {
    struct Hiding: Interceptor {
      func intercept(
        _ request: HTTPRequest, next: Interceptor.Next
      ) async throws(RequestError) -> HTTPResponse {
        let response = try await next(request)
        guard response.status == 401 else { return response }
        throw RequestError(.retryRequested(after: .zero, reason: "signing in again"))
      }
    }
    let ann = CachedServer([Self.stored, .status(401)]) {
      $0.networkInterceptors = [Hiding()]
      $0.cachePartition = "ann"
      $0.retry.attempts = 2
    }
    _ = try await ann.get()
    ann.clock.advance(by: .seconds(10))
    #expect(await ann.failure() != nil)
    #expect(await ann.server.cache?.contents().isEmpty == true)
  }
}
