import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import ListReading

/// Pages that a walk requests once more, since their response was damaged.
@Suite(.timeLimit(.minutes(1))) struct RepeatedPageTests {
  private static let damaged = MockResponse.json(#"{"rows":[{"id":1},{"id"#)
  private static let page = MockResponse.json(#"{"rows":[{"id":1},{"id":2}]}"#)

  /// Walks over a list of one page, for which the server sends these responses.
  private func walk(
    _ responses: MockResponse..., call: Call = Call("/rows"),
    configure: (inout Server.Configuration) -> Void = { _ in }
  ) async -> (rows: Int?, requests: [HTTPRequest], error: LoadError?) {
    let transport = MockTransport(playing: responses)
    let clock = ManualClock(skipsSleeps: true)
    let server = Server("https://test", transport: transport) {
      $0.time = clock.timeSource
      $0.random = { 0 }
      configure(&$0)
    }
    let walk = PageWalk(server, call, items: "rows", paging: .single)
    do throws(LoadError) {
      let page = try await walk.next()
      return (page?.rows.count, transport.requests, nil)
    } catch {
      return (nil, transport.requests, error)
    }
  }

  @Test func `a damaged page is requested once more on a new connection`() async {
    let read = await walk(Self.damaged, Self.page)
    #expect(read.rows == 2)
    #expect(read.requests.map(\.wantsFreshConnection) == [false, true])
    let failed = await walk(Self.damaged, Self.damaged, Self.page)
    #expect(failed.rows == nil && failed.requests.count == 2)
  }

  @Test(arguments: [429, 503])
  func `the wait for a limit takes no time from the next request`(_ status: Int) async {
    let limited = MockResponse(status: status, headers: ["Retry-After": "50"])
    let read = await walk(limited, Self.damaged, Self.page) {
      $0.timeouts.total = .seconds(20)
    }
    #expect(read.rows == 2, "\(String(describing: read.error))")
    #expect(read.requests.map(\.timeouts.total) == [.seconds(20), .seconds(20), .seconds(20)])
  }

  @Test func `both calls together wait no longer than one may`() async {
    let limited = MockResponse(status: 429, headers: ["Retry-After": "50"])
    let read = await walk(limited, Self.damaged, limited, Self.page) {
      $0.retry.maximumRetryAfter = .seconds(90)
      $0.retry.attempts = 9
    }
    #expect(read.rows == nil && read.requests.count == 3)
  }

  @Test func `a request in place of a damaged page is one of the retries`() async {
    let read = await walk(.status(503), Self.damaged, Self.page) { $0.retry.attempts = 2 }
    #expect(read.rows == nil && read.requests.count == 2)
    let last = await walk(Self.damaged, .status(503), Self.page) { $0.retry.attempts = 2 }
    #expect(last.rows == nil && last.requests.count == 2)
    let both = await walk(.status(503), Self.damaged, Self.page) { $0.retry.attempts = 3 }
    #expect(both.rows == 2 && both.requests.count == 3)
  }

  @Test func `what is stored of a damaged page is not used again`() async {
    let texts = [#"{"rows":[{"id"#, #"{"rows":[{"id":1}]}"#]
    let responses = texts.map {
      MockResponse(
        headers: ["Content-Type": "application/json", "Cache-Control": "max-age=60"],
        body: ResponseBody(text: $0))
    }
    for mode in [CacheMode.standard, .revalidate, .networkElseCache, .noStore] {
      let cache = HTTPCache(MemoryCacheStore())
      let read = await walk(responses[0], responses[1]) {
        $0.cache = cache
        $0.cacheMode = mode
      }
      #expect(read.rows == 1 && read.requests.count == 2, "\(mode)")
      let stored = await cache.store.listings(CacheSelection())
      #expect(stored.count == (mode == .noStore ? 0 : 1), "\(mode)")
    }
  }

  @Test func `a POST is requested once more where the call only reads`() async {
    var call = Call("/rows", method: .post)
    let plain = await walk(Self.damaged, Self.page, call: call)
    #expect(plain.rows == nil && plain.requests.count == 1)
    call.onlyReads = true
    #expect(await walk(Self.damaged, Self.page, call: call).rows == 2)
    #expect(await walk(.status(503), Self.damaged, Self.page, call: call).rows == 2)
    var named = Call("/rows", method: .post)
    named.cacheKey = "search"
    #expect(await walk(Self.damaged, Self.page, call: named).rows == 2)
    var keyed = Call("/rows", method: .post)
    keyed.headers["Idempotency-Key"] = "1"
    #expect(await walk(Self.damaged, Self.page, call: keyed).rows == 2)
  }

  @Test func `a page that comes after the walk was cancelled is not delivered`() async {
    let transport = MockTransport { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      return Self.page
    }
    let task = Task {
      let walk = PageWalk(
        Server("https://test", transport: transport), Call("/rows"), items: "rows", paging: .single)
      do throws(LoadError) {
        return try await walk.next()?.rows.count
      } catch {
        return error.isCancelled ? -1 : -2
      }
    }
    #expect(await task.value == -1)
  }
}

extension LoadError {
  fileprivate var isCancelled: Bool {
    if case .request(let error) = self, case .cancelled = error.kind { true } else { false }
  }
}
