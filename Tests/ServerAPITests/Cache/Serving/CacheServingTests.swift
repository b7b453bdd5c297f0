import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct CacheServingTests {
  private let fresh: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  @Test func `a fresh response is served without a request`() async throws {
    let books = CachedServer([.status(200, fresh, "one")])
    #expect(try await books.get().source == .network)
    let again = try await books.get()
    #expect(again.bodyText == "one")
    #expect(again.source.isCache)
    #expect(again.headers["Age"] == "0")
    #expect(books.requestCount == 1)
    #expect(again.cacheNotes.count == 1 && again.cacheNotes[0].contains("fresh"))
  }

  @Test func `a stale response is validated, and an unchanged body is not transferred`()
    async throws
  {
    let books = CachedServer([
      .status(200, fresh, "one"), .status(304, ["ETag": "\"1\"", "Cache-Control": "max-age=60"]),
    ])
    _ = try await books.get()
    books.clock.advance(by: .seconds(61))
    let again = try await books.get()
    #expect(again.status == 200 && again.bodyText == "one")
    #expect(again.source == .validated)
    #expect(books.transport.requests.last?.headers["If-None-Match"] == "\"1\"")
    // After the validation it is fresh again.
    #expect(try await books.get().source.isCache)
    #expect(books.requestCount == 2)
  }

  @Test func `a changed response replaces the stored one`() async throws {
    let books = CachedServer([.status(200, fresh, "one"), .status(200, fresh, "two")])
    _ = try await books.get()
    books.clock.advance(by: .seconds(61))
    #expect(try await books.get().bodyText == "two")
    #expect(try await books.get().bodyText == "two")
    #expect(books.requestCount == 2)
  }

  @Test func `a 304 about a response that is not stored repeats the request once`() async throws {
    let books = CachedServer([
      .status(200, fresh, "one"), .status(304, ["ETag": "\"2\""]), .status(200, fresh, "two"),
    ])
    _ = try await books.get()
    books.clock.advance(by: .seconds(61))
    #expect(try await books.get().bodyText == "two")
    #expect(books.transport.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", nil])
  }

  @Test func `an error of the service is never stored, whatever its freshness lifetime`() async {
    let body = #"{"code": 7, "message": "no"}"#
    let books = CachedServer([
      .status(200, ["Cache-Control": "max-age=60", "Content-Type": "application/json"], body)
    ]) {
      $0.businessCheck = Call.BusinessCheck { _ in (code: "7", message: "no") }
    }
    for _ in 0..<2 {
      #expect(await books.failure() == .business(code: "7", message: "no"))
    }
    #expect(books.requestCount == 2)
    #expect(await books.server.cache?.contents().isEmpty == true)
  }

  @Test func `the login page of a captive portal is never stored`() async {
    let books = CachedServer([
      .status(200, ["Cache-Control": "max-age=60", "Content-Type": "text/html"], "<html>")
    ]) { $0.content = .json }
    #expect(await books.failure() == .unexpectedContent(.captivePortal))
    #expect(await books.server.cache?.contents().isEmpty == true)
  }

  @Test func `a stored error status fails at once without a request`() async {
    let books = CachedServer([
      .status(503, ["Cache-Control": "max-age=60"]), .status(200, fresh, "one"),
    ]) { $0.retry = .never }
    #expect(await books.failure() == .status(503))
    #expect(await books.failure() == .status(503))
    #expect(books.requestCount == 1)
  }

  @Test func `each response of a redirect is stored separately`() async throws {
    let transport = MockTransport { request in
      request.url.path == "/old"
        ? .status(301, ["Location": "/new", "Cache-Control": "max-age=60"])
        : .status(200, ["Cache-Control": "max-age=60"], "new")
    }
    let books = CachedServer(transport)
    _ = try await books.get("/old")
    #expect(try await books.get("/old").bodyText == "new")
    #expect(try await books.get("/new").source.isCache)
    #expect(books.requestCount == 2)
  }

  @Test func `an unsafe request invalidates the stored response`() async throws {
    let books = CachedServer([.status(200, fresh, "one")])
    _ = try await books.get()
    _ = try await books.server.send(Call("/books", method: .post, body: .text("more")))
    #expect(try await books.get().source == .network)
    #expect(books.requestCount == 3)
  }

  @Test func `a streamed body is neither stored nor served from the cache`() async throws {
    let books = CachedServer([.status(200, fresh, "one")])
    _ = try await books.get()
    _ = try await books.server.stream(Call("/books")) { _ in }
    #expect(books.requestCount == 2)
  }

  @Test func `a fresh response does not reach network interceptors`() async throws {
    let network = CountingInterceptor()
    let callInterceptor = CountingInterceptor()
    let recorder = EventRecorder()
    let books = CachedServer([.status(200, fresh, "one")]) {
      $0.interceptors = [callInterceptor]
      $0.networkInterceptors = [network]
      $0.monitors = [recorder]
      $0.cachePartition = "ann"
    }
    _ = try await books.get()
    _ = try await books.get()
    #expect(network.calls.value == 1)
    #expect(callInterceptor.calls.value == 2)
    #expect(recorder.events.suffix(3) == ["created GET", "served 200", "finished 200"])
  }

  @Test func `a call that accepts any status gets an error status`() async throws {
    let books = CachedServer([.status(418, [:], "teapot")])
    var call = Call("/books")
    call.acceptsErrorStatuses = true
    let response = try await books.server.send(call)
    #expect(response.status == 418 && response.bodyText == "teapot")
    #expect(books.requestCount == 1)
  }
}

/// Forwards every request and counts them.
final class CountingInterceptor: Interceptor {
  let calls = Counter()

  func intercept(
    _ request: HTTPRequest, next: Next
  ) async throws(RequestError) -> HTTPResponse {
    calls.add()
    return try await next(request)
  }
}
