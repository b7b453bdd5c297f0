#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import Foundation
  internal import ServerAPI
  internal import Support

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// A request in flight: receives the events of the session on its queue, and passes them to the sending task.
  /// The first end decides; later events are dropped.
  final class SessionExchange: Sendable {
    /// An event for the sending task.
    private enum Event: Sendable {
      case sent(Int)
      case piece(Data)
    }

    private struct State {
      var meter: SessionMeter
      var lastActivity: Duration
      var end: SessionMeter.End?
    }

    let origin: WebURL.Origin
    private let request: HTTPRequest
    private let time = TimeSource.system
    private let started: Duration
    /// Guards the state that both sides use.
    private let state: Lock<State>
    private let events: AsyncStream<Event>
    private let feed: AsyncStream<Event>.Continuation

    init(_ request: HTTPRequest) {
      self.request = request
      origin = request.url.origin
      started = time.now()
      state = Lock(State(meter: SessionMeter(request), lastActivity: started))
      (events, feed) = AsyncStream.makeStream()
    }

    // MARK: On the queue of the session

    func receive(_ response: HTTPURLResponse) {
      update { $0.receive(response, at: $1) }
      finishIfEnded()
    }

    func receive(_ data: Data) {
      let allowed = update { meter, _ in meter.admit(data.count) }
      if allowed > 0 { feed.yield(.piece(data.prefix(allowed))) }
      finishIfEnded()
    }

    func sent(_ count: Int) {
      update { meter, _ in meter.sent = count }
      feed.yield(.sent(count))
    }

    func complete(_ error: (any Error)?) {
      let meter = state.withLock(\.meter)
      end(error.map { .failed(meter.kind(of: $0, for: request.url)) } ?? .complete)
    }

    /// Ends the exchange, unless it has ended.
    func end(_ end: SessionMeter.End) {
      state.withLock { $0.end = $0.end ?? end }
      feed.finish()
    }

    @discardableResult
    private func update<Result: Sendable>(
      _ change: (inout SessionMeter, Duration) -> Result
    ) -> Result {
      let now = time.now()
      return state.withLock { state in
        state.lastActivity = now
        let result = change(&state.meter, now)
        if let excess = state.meter.excess { state.end = state.end ?? .failed(excess) }
        return result
      }
    }

    private func finishIfEnded() {
      if state.withLock({ $0.end != nil }) { feed.finish() }
    }

    // MARK: On the task that sends

    /// Collects pieces until the exchange ends.
    func collect() async -> Result<HTTPResponse, RequestError> {
      var body: [UInt8] = []
      var progress = SessionProgress(request)
      for await event in events {
        switch event {
        case .sent(let count):
          progress.sent(count, at: time.now())
        case .piece(let data):
          let receiver = isSuccess ? request.receiver : nil
          do {
            if let receiver { try await receiver(ResponseBody(data)) } else { body += data }
          } catch {
            let failure = "\(error)"
            return .failure(
              self.error(Task.isCancelled ? .cancelled(.byCaller) : .receiverFailed(failure)))
          }
          progress.received(data.count, of: announced, at: time.now())
        }
        if case .failed = state.withLock({ $0.end }) { break }
      }
      let (end, meter) = state.withLock { ($0.end ?? .failed(.cancelled(.byCaller)), $0.meter) }
      switch end {
      case .failed(let kind): return .failure(error(kind))
      case .complete:
        guard let status = meter.status else {
          return .failure(error(.protocolViolation("it has no status line")))
        }
        progress.finish(of: announced)
        return .success(
          HTTPResponse(
            status: status, headers: meter.headers, body: ResponseBody(body), url: request.url,
            timings: timings()))
      }
    }

    /// Waits until the exchange times out, and ends it then. Returns false when the waiting task is cancelled.
    /// `mayWait` is whether it may wait for a connection of others, which is not limited by the time for connecting.
    func timesOut(mayWait: () -> Bool) async -> Bool {
      var connectStart = started
      while true {
        let (lastActivity, isConnected) = state.withLock { ($0.lastActivity, $0.meter.isConnected) }
        if !isConnected, mayWait() { connectStart = time.now() }
        let idleEnd = lastActivity + request.timeouts.idle
        let totalEnd = started + request.timeouts.total
        let (phase, phaseEnd): (RequestError.Phase, Duration) =
          isConnected ? (.idle, idleEnd) : (.connect, connectStart + request.timeouts.connect)
        let now = time.now()
        if now >= min(phaseEnd, totalEnd) {
          end(.failed(.timeout(totalEnd <= phaseEnd ? .total : phase)))
          return true
        }
        // It may connect meanwhile, and be idle then.
        let next = min(phaseEnd, totalEnd, isConnected ? idleEnd : now + request.timeouts.idle)
        do { try await time.sleep(next - now) } catch { return false }
      }
    }

    /// Returns an error with the request and its timings. The query is left out, since it may contain secrets.
    func error(_ kind: RequestError.Kind) -> RequestError {
      RequestError(
        kind, request: "\(request.method) \(request.url.origin)\(request.url.path)",
        timings: timings())
    }

    private var isSuccess: Bool { (200..<300).contains(state.withLock(\.meter.status) ?? 0) }
    private var announced: Int? { state.withLock(\.meter.announced) }

    private func timings() -> HTTPResponse.Timings {
      let now = time.now()
      let meter = state.withLock(\.meter)
      var timings = HTTPResponse.Timings()
      timings.wait = (meter.headAt ?? now) - started
      timings.receive = now - (meter.headAt ?? now)
      timings.total = now - started
      timings.wireBytes = meter.received
      timings.decodedBytes = meter.received
      timings.sentBytes = meter.headAt == nil ? meter.sent : request.body?.length ?? 0
      return timings
    }
  }
#endif
