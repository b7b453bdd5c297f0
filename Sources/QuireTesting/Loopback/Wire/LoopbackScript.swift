internal import Support

/// The scripted responses and recorded requests that the connections of a server share.
final class LoopbackScript: Sendable {
  private struct State {
    var queue: [LoopbackResponse] = []
    var next = 0
    var requests: [LoopbackRequest] = []
    var unscripted: [LoopbackRequest] = []
  }

  let bodyLimit: Int
  private let recordsRequests: Bool
  private let handler: LoopbackServer.Handler?
  /// The number of requests that have arrived.
  let arrived = Counter()
  /// Guards the queue and the records; the handler is called outside of it.
  private let state = Lock(State())

  init(configuration: LoopbackConfiguration, handler: LoopbackServer.Handler?) {
    bodyLimit = configuration.recordedBodyBytes
    recordsRequests = configuration.recordsRequests
    self.handler = handler
  }

  var requests: [LoopbackRequest] { state.withLock { $0.requests } }
  var unscripted: [LoopbackRequest] { state.withLock { $0.unscripted } }
  var waiting: Int { state.withLock { $0.queue.count - $0.next } }

  func enqueue(_ responses: [LoopbackResponse]) { state.withLock { $0.queue += responses } }

  /// Removes the next scripted response if something in it is bound to a moment.
  func dequeue(boundTo moment: LoopbackMoment) -> LoopbackResponse? {
    state.withLock { state in
      guard state.next < state.queue.count, state.queue[state.next].isBound(to: moment) else {
        return nil
      }
      return Self.dequeueNext(&state)
    }
  }

  /// Records a request that gets no response.
  func record(_ request: LoopbackRequest) {
    if recordsRequests { state.withLock { $0.requests.append(request) } }
    arrived.add()
  }

  /// Records a request and returns its response, from `carried`, the queue or the handler.
  func response(to request: LoopbackRequest, carried: LoopbackResponse?) -> LoopbackResponse {
    let scripted = state.withLock { state -> LoopbackResponse? in
      if recordsRequests { state.requests.append(request) }
      if let carried { return carried }
      if state.next < state.queue.count { return Self.dequeueNext(&state) }
      if handler == nil { state.unscripted.append(request) }
      return nil
    }
    arrived.add()
    if let response = scripted ?? handler?(request) { return response }
    var failure = LoopbackResponse.text(
      "LoopbackServer has no scripted response left and no handler for \(request)\n")
    failure.status = 500
    return failure
  }

  private static func dequeueNext(_ state: inout State) -> LoopbackResponse {
    defer {
      state.next += 1
      if state.next == state.queue.count {
        state.queue = []
        state.next = 0
      }
    }
    return state.queue[state.next]
  }
}
