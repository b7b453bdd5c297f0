import Synchronization

@testable import ServerAPI

/// A number that is watched: tests wait until it has reached what they expect.
final class Counter: Sendable {
  private struct State {
    var value = 0
    var lastID = 0
    var watchers: [Int: (wanted: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
  }
  private let state = Mutex(State())

  var value: Int { state.withLock { $0.value } }

  @discardableResult func add(_ amount: Int = 1) -> Int {
    let (value, ready) = state.withLock { state in
      state.value += amount
      let value = state.value
      let ready = state.watchers.filter { $0.value.wanted <= value }
      for id in ready.keys { state.watchers[id] = nil }
      return (value, ready)
    }
    for watcher in ready.values { watcher.continuation.resume() }
    return value
  }

  /// Also returns when the test is cancelled, as it is at its time limit, so that it ends and is named.
  func reaches(_ wanted: Int) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          let waits = state.value < wanted && !Task.isCancelled
          if waits { state.watchers[id] = (wanted, continuation) }
          return waits
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}

/// Holds whoever comes until the test opens it; being cancelled ends the wait with an error.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var lastID = 0
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var cancelled: Set<Int> = []
  }
  private let state = Mutex(State())
  /// How many have come.
  let arrivals = Counter()
  /// How many were cancelled while they waited.
  let cancellations = Counter()

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume(returning: true) }
  }

  func pass() async throws(RequestError) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let passed = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Bool? = state.withLock { state in
          if state.isOpen { return true }
          if state.cancelled.contains(id) { return false }
          state.waiting[id] = continuation
          return nil
        }
        arrivals.add()
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.cancelled.insert(id)
        return state.waiting.removeValue(forKey: id)
      }
      continuation?.resume(returning: false)
      cancellations.add()
    }
    if !passed { throw RequestError(.cancelled(.byCaller)) }
  }
}

/// Time that moves by hand.
final class HandClock: Sendable {
  private struct State {
    var now = Duration.zero
    var lastID = 0
    var sleepers: [Int: (end: Duration, continuation: CheckedContinuation<Bool, Never>)] = [:]
    var cancelled: Set<Int> = []
    var slept: [Duration] = []
  }
  private let state = Mutex(State())
  private let skips: Bool
  /// How many sleeps have begun.
  let sleeps = Counter()

  /// With `skips` a sleep moves the time on and returns at once.
  init(skips: Bool = false) { self.skips = skips }

  /// The sleeps that were asked for.
  var slept: [Duration] { state.withLock { $0.slept } }

  /// Sleepers that are parked now.
  var sleeping: Int { state.withLock { $0.sleepers.count } }

  var source: TimeSource {
    TimeSource(
      now: { self.state.withLock { $0.now } },
      secondsSince1970: { 1_780_272_000 + self.state.withLock { $0.now } / .seconds(1) },
      sleep: { try await self.sleep($0) })
  }

  func advance(by step: Duration) {
    let due = state.withLock { state in
      state.now += step
      let now = state.now
      let due = state.sleepers.filter { $0.value.end <= now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume(returning: true) }
  }

  private func sleep(_ duration: Duration) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      state.slept.append(duration)
      if skips { state.now += duration }
      return state.lastID
    }
    if skips { return try Task.checkCancellation() }
    let finished = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Bool? = state.withLock { state in
          if state.cancelled.contains(id) { return false }
          state.sleepers[id] = (state.now + duration, continuation)
          return nil
        }
        sleeps.add()
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(id)
        return state.sleepers.removeValue(forKey: id)
      }
      sleeper?.continuation.resume(returning: false)
    }
    if !finished { throw CancellationError() }
  }
}

/// A transport that asks a closure and remembers what it was asked.
final class FakeTransport: Transport {
  typealias Handler =
    @Sendable (HTTPRequest, _ index: Int) async throws(RequestError) -> HTTPResponse
  private let handler: Handler
  private let seen = Mutex<[HTTPRequest]>([])
  let identity: String?

  init(identity: String? = nil, _ handler: @escaping Handler) {
    self.identity = identity
    self.handler = handler
  }

  /// Answers in order; the last one is repeated.
  convenience init(
    _ answers: [Result<HTTPResponse, RequestError>], identity: String? = nil
  ) {
    self.init(identity: identity) { (request, index) throws(RequestError) in
      var response = try answers[min(index, answers.count - 1)].get()
      response.url = request.url
      return response
    }
  }

  var requests: [HTTPRequest] { seen.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let index = seen.withLock { seen in
      seen.append(request)
      return seen.count - 1
    }
    return try await handler(request, index)
  }
}

extension Result where Success == HTTPResponse, Failure == RequestError {
  static func status(_ status: Int, _ headers: HTTPHeaders = [:], _ text: String = "") -> Self {
    Result { () throws(RequestError) in
      HTTPResponse(
        status: status, headers: headers, body: ResponseBody(text: text),
        url: try WebURL("https://unset.example"))
    }
  }

  static func failed(_ kind: RequestError.Kind) -> Self { .failure(RequestError(kind)) }
}

/// Writes events down in short words.
final class EventRecorder: EventMonitor {
  private let lines = Mutex<[(call: UInt64, text: String)]>([])

  /// The events of all calls, in the order they came.
  var events: [String] { lines.withLock { $0.map(\.text) } }

  /// The events of each call.
  var eventsByCall: [[String]] {
    lines.withLock { Dictionary(grouping: $0, by: \.call).values.map { $0.map(\.text) } }
  }

  func record(_ event: CallEvent, of call: CallInfo) {
    let line: String =
      switch event {
      case .created(let request): "created \(request.method)"
      case .joined: "joined"
      case .queued(let wait): "queued \(wait)"
      case .sent(let request): "sent \(request.url.path)"
      case .redirected(let status, let url): "redirected \(status) \(url.path)"
      case .retrying(let attempt, let reason, let delay): "retrying \(attempt) \(reason) \(delay)"
      case .served(let response, _): "served \(response.status)"
      case .received(let response): "received \(response.status)"
      case .finished(.success(let response)): "finished \(response.status)"
      case .finished(.failure(let error)): "failed \(error.kind)"
      }
    lines.withLock { $0.append((call.id, line)) }
  }
}

extension Server {
  /// How a call ends.
  func outcome(_ call: Call) async -> Attempt.Outcome {
    do throws(RequestError) { return .answered(try await send(call).status) } catch {
      return .failed(error.kind)
    }
  }
}
