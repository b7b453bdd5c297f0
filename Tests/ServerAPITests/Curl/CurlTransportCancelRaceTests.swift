import CStalledResolver
import Foundation
import QuireTesting
import ServerAPI
import Synchronization
import Testing

/// Cancelling in every phase: promptly, exactly once, whatever libcurl is busy with.
@Suite(.timeLimit(.minutes(2)), .serialized) struct CurlTransportCancelRaceTests {
  let transport = CurlTransport()

  /// Cancels `task` and gives its error and how long that took.
  func cancel(
    _ task: Task<HTTPResponse, any Error>
  ) async -> (kind: RequestError.Kind?, latency: Duration) {
    let start = ContinuousClock.now
    task.cancel()
    let result = await task.result
    let latency = start.duration(to: .now)
    if case .failure(let error as RequestError) = result { return (error.kind, latency) }
    return (nil, latency)
  }

  func start(_ request: HTTPRequest) -> Task<HTTPResponse, any Error> {
    Task.immediate { [transport] in try await transport.send(request) }
  }

  @Test func `a request that is cancelled before it is sent never reaches the server`() async throws
  {
    let server = try LoopbackServer { _ in .text("x") }
    let url = try server.url()
    let task = Task { [transport] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(HTTPRequest(.get, url))
    }
    #expect(await cancel(task).kind == .cancelled(.byCaller))
    #expect(server.requestCount == 0)
  }

  @Test func `a name lookup that hangs does not hold up a cancel, nor other requests`() async throws
  {
    let server = try LoopbackServer { _ in .text("x") }
    let stalled = stalled_resolver_count()
    let task = start(HTTPRequest(.get, try WebURL("http://host.stalled.test/")))
    await blocking { stalled_resolver_wait_for(stalled + 1) }
    let (kind, latency) = await cancel(task)
    #expect(kind == .cancelled(.byCaller))
    #expect(latency < .milliseconds(500))
    let other = try await transport.send(HTTPRequest(.get, server.url()))
    #expect(other.status == 200)
    stalled_resolver_release()
  }

  @Test func `a name lookup that hangs is given up when connecting takes too long`() async throws {
    let request = HTTPRequest(
      .get, try WebURL("http://slow.stalled.test/"),
      timeouts: Timeouts(connect: .milliseconds(80)))
    #expect(await transport.failure(request) == .timeout(.connect))
    stalled_resolver_release()
  }

  @Test func `connecting can be cancelled`() async throws {
    let silent = try LoopbackDeadEnd.silent()
    let task = start(HTTPRequest(.get, try WebURL(silent.baseURL)))
    let (kind, latency) = await cancel(task)
    #expect(kind == .cancelled(.byCaller))
    #expect(latency < .milliseconds(500))
  }

  @Test(arguments: [LoopbackMoment.requestRead, .headStarted, .headSent, .bodySent(100)])
  func `an answer that hangs can be cancelled at any moment, and the server is left`(
    moment: LoopbackMoment
  ) async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in .filler(count: 1_000).held(by: gate, at: moment) }
    let task = start(HTTPRequest(.get, try server.url()))
    await gate.reached()
    let (kind, latency) = await cancel(task)
    #expect(kind == .cancelled(.byCaller))
    #expect(latency < .milliseconds(500))
    try await server.connectionClosed(0)
  }

  @Test func `a request that waits for a connection can be cancelled`() async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in .text("x").held(by: gate) }
    let transport = CurlTransport { $0.connectionsPerHost = 1 }
    let url = try server.url()
    let first = Task.immediate { try await transport.send(HTTPRequest(.get, url)) }
    await gate.reached()
    let second = Task.immediate { try await transport.send(HTTPRequest(.get, url)) }
    #expect((await cancel(second)).kind == .cancelled(.byCaller))
    gate.open()
    #expect(try await first.value.status == 200)
    #expect(server.requestCount == 1)
  }

  @Test func `an upload can be cancelled midway`() async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in
      .text("x").held(by: gate, at: .requestHeadRead)
    }
    let body = RequestBody.bytes([UInt8](repeating: 0, count: 64 << 20))
    let task = start(HTTPRequest(.post, try server.url(), body: body))
    await gate.reached()
    let (kind, latency) = await cancel(task)
    #expect(kind == .cancelled(.byCaller))
    #expect(latency < .milliseconds(500))
  }

  @Test func `a paused stream can be cancelled while its receiver is busy`() async throws {
    let server = try LoopbackServer { _ in .filler(count: 64 << 20) }
    let entered = Signal()
    let request = HTTPRequest(.get, try server.url(), limits: .unlimitedBody).with {
      $0.receiver = { _ in
        entered.fire()
        try await ManualClock().sleep(for: .seconds(60))
      }
    }
    let task = start(request)
    await entered.wait()
    let (kind, _) = await cancel(task)
    #expect(kind == .cancelled(.byCaller))
    try await server.connectionClosed(0)
  }

  @Test(arguments: [
    LoopbackMoment?.none, .requestHeadRead, .requestRead, .headStarted, .bodySent(100),
  ])
  func `ninety-nine of a hundred cancels take a few milliseconds in each phase`(
    moment: LoopbackMoment?
  ) async throws {
    let gate = try LoopbackGate()
    let server = try LoopbackServer { _ in
      .filler(count: 1_000).held(by: gate, at: moment ?? .requestRead)
    }
    let silent = try LoopbackDeadEnd.silent()
    // Without a moment it is the connection that never comes about.
    let request = HTTPRequest(.post, try moment == nil ? WebURL(silent.baseURL) : server.url())
      .with { $0.body = .bytes([UInt8](repeating: 0, count: 1_000)) }
    var latencies: [Duration] = []
    for number in 1...100 {
      let task = start(request)
      if moment != nil { await gate.reached(number) }
      let (kind, latency) = await cancel(task)
      #expect(kind == .cancelled(.byCaller))
      latencies.append(latency)
    }
    latencies.sort()
    print(
      "cancel at \(moment.map { "\($0)" } ?? "connecting"): p50 \(latencies[49]), p99 \(latencies[98])"
    )
    #expect(latencies[98] < .milliseconds(250))
  }
}

/// Runs something that blocks a thread without taking one from the pool of tasks.
func blocking(_ work: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      work()
      continuation.resume()
    }
  }
}

/// Something that happens once and can be waited for.
final class Signal: Sendable {
  private let state = Mutex<(fired: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

  func fire() {
    let waiters = state.withLock { state in
      state.fired = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let fired = state.withLock { state in
        if !state.fired { state.waiters.append(continuation) }
        return state.fired
      }
      if fired { continuation.resume() }
    }
  }
}
