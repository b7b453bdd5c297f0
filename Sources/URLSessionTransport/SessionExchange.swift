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
    /// The part of the memory for all responses that the body takes.
    private let share: MemoryBudget.Share?
    /// Guards the state that both sides use.
    private let state: Lock<State>
    private let events: AsyncStream<Event>
    private let feed: AsyncStream<Event>.Continuation

    init(_ request: HTTPRequest) {
      self.request = request
      origin = request.url.origin
      started = time.now()
      share = request.receiver == nil ? request.memory?.share() : nil
      state = Lock(State(meter: SessionMeter(request, share), lastActivity: started))
      (events, feed) = AsyncStream.makeStream()
    }

    // MARK: On the queue of the session

    func receive(_ head: SessionHead) {
      update { $0.receive(head, at: $1) }
      finishIfEnded()
    }

    func receive(_ data: Data) {
      let allowed = update { meter, _ in meter.admit(data.count) }
      if allowed > 0 { feed.yield(.piece(data.prefix(allowed))) }
      finishIfEnded()
    }

    func sent(_ count: Int) {
      update { meter, _ in meter.sent(count) }
      feed.yield(.sent(count))
    }

    func measured(_ phases: SessionPhases?) { update { meter, _ in meter.finish(phases) } }

    func complete(_ error: (any Error)?) {
      let meter = state.withLock(\.meter)
      end(error.map { .failed(failure($0, meter).kind) } ?? meter.endOfSession)
    }

    private func failure(_ error: any Error, _ meter: SessionMeter) -> SessionFailure {
      var failure = SessionFailure(error, for: request.url)
      failure.isConnected = meter.isConnected
      failure.hasHead = meter.head != nil
      failure.bytesReceived = meter.received
      return failure
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
        state.end = state.end ?? state.meter.end
        return result
      }
    }

    private func finishIfEnded() {
      if state.withLock({ $0.end != nil }) { feed.finish() }
    }

    // MARK: On the task that sends

    /// Collects pieces until the exchange ends.
    func collect() async -> Result<HTTPResponse, RequestError> {
      let body = ResponseBuilder()
      var progress = SessionProgress(request)
      for await event in events {
        switch event {
        case .sent(let count):
          progress.sent(count, at: time.now())
        case .piece(let data):
          do {
            if let receiver = request.receiver, state.withLock(\.meter.isSuccess) {
              try await receiver(ResponseBody(data))
            } else {
              data.withUnsafeBytes { body.append($0) }
            }
          } catch {
            let failure = "\(error)"
            return .failure(
              self.error(Task.isCancelled ? .cancelled(.byCaller) : .receiverFailed(failure)))
          }
          progress.received(data.count, of: state.withLock(\.meter.announced), at: time.now())
        }
        if case .failed = state.withLock({ $0.end }) { break }
      }
      let (end, meter) = state.withLock { ($0.end ?? .failed(.cancelled(.byCaller)), $0.meter) }
      guard case .complete = end, let head = meter.head else {
        if case .failed(let kind) = end { return .failure(error(kind)) }
        return .failure(error(.protocolViolation("it has no status line")))
      }
      progress.finish(of: meter.announced)
      return .success(
        HTTPResponse(
          status: head.status, headers: head.headers, body: body.finish(share), url: request.url,
          timings: meter.timings(started: started, now: time.now())))
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
        do { try await time.sleepToLimit(next - now) } catch { return false }
      }
    }

    /// Returns an error with the request and its timings. The query is left out, since it may contain secrets.
    func error(_ kind: RequestError.Kind) -> RequestError {
      RequestError(
        kind, request: "\(request.method) \(request.url.origin)\(request.url.path)",
        timings: state.withLock(\.meter).timings(started: started, now: time.now()))
    }
  }

  /// Reports progress to a handler, at most ten times per second.
  struct SessionProgress {
    private let handler: (@Sendable (HTTPRequest.Progress) -> Void)?
    private var progress: HTTPRequest.Progress
    private var lastReport: Duration?

    init(_ request: HTTPRequest) {
      handler = request.progress
      progress = HTTPRequest.Progress(toSend: request.body?.length ?? 0)
    }

    mutating func sent(_ count: Int, at now: Duration) {
      progress.sent = max(progress.sent, count)
      report(at: now)
    }

    mutating func received(_ count: Int, of announced: Int?, at now: Duration) {
      progress.sent = progress.toSend ?? progress.sent
      progress.received += count
      progress.toReceive = announced
      report(at: now)
    }

    mutating func finish(of announced: Int?) {
      progress.sent = progress.toSend ?? progress.sent
      progress.toReceive = announced
      handler?(progress)
    }

    private mutating func report(at now: Duration) {
      if let lastReport, now - lastReport < .milliseconds(100) { return }
      lastReport = now
      handler?(progress)
    }
  }
#endif
