import ServerAPI
import Support

/// Holds every request until the test answers it. It does not listen to cancellation, so that an
/// answer can come too late.
final class GateTransport: Transport {
  private struct State {
    var requests: [HTTPRequest] = []
    var held: [Int: CheckedContinuation<Result<HTTPResponse, RequestError>, Never>] = [:]
    var waiters: [(count: Int, CheckedContinuation<Void, Never>)] = []
    var cancelled = 0
    var cancelWaiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state in
          state.held[state.requests.count] = continuation
          state.requests.append(request)
          let ready = state.waiters.filter { $0.count <= state.requests.count }
          state.waiters.removeAll { $0.count <= state.requests.count }
          return ready
        }
        for waiter in ready { waiter.1.resume() }
      }
    } onCancel: {
      let ready = state.withLock { state in
        state.cancelled += 1
        defer { state.cancelWaiters = [] }
        return state.cancelWaiters
      }
      for waiter in ready { waiter.resume() }
    }
    return try result.get()
  }

  /// Returns when that many requests have arrived in all.
  func arrived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Returns when an exchange was asked to end.
  func sawCancellation() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.cancelled > 0 { return true }
        state.cancelWaiters.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Answers the request that arrived as number `index`, counted from zero.
  func answer(_ index: Int, _ text: String, status: Int = 200) {
    let (continuation, request) = state.withLock {
      ($0.held.removeValue(forKey: index), $0.requests[index])
    }
    continuation?.resume(
      returning: .success(
        HTTPResponse(status: status, body: ResponseBody(text: text), url: request.url)))
  }

  /// Fails the request that arrived as number `index`.
  func fail(_ index: Int, _ error: RequestError) {
    state.withLock { $0.held.removeValue(forKey: index) }?.resume(returning: .failure(error))
  }
}

/// Answers at once, without leaving the caller.
struct InstantTransport: Transport {
  var answer: @Sendable (HTTPRequest) -> Result<HTTPResponse, RequestError>

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    try answer(request).get()
  }
}
