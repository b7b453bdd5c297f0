internal import ServerAPI

/// Carries out a ``ResponsePlan`` for one request: waits, applies timeouts, feeds the receiver and measures the
/// timings.
struct ResponsePlayer {
  private let request: HTTPRequest
  private let time: TimeSource
  private let started: Duration
  private var resolving = Duration.zero
  private var headAt: Duration?
  private var received = 0
  private var wireBytes = 0
  private var lastProgress: Duration?

  init(_ request: HTTPRequest, time: TimeSource) {
    self.request = request
    self.time = time
    started = time.now()
  }

  /// Plays a response. It only suspends if the response is held, delayed or sent to a receiver.
  mutating func play(_ response: MockResponse, pieceSize: Int) async throws(RequestError)
    -> HTTPResponse
  {
    let plan = ResponsePlan(response, for: request, pieceSize: pieceSize)
    let receiver = (200..<300).contains(response.status) ? request.receiver : nil
    try checkEnded()
    for step in plan.steps {
      switch step {
      case .wait(let gate): try await wait(for: gate)
      case .sleep(let duration): try await sleep(duration)
      case .fail(let kind): throw error(kind)
      case .head: headAt = time.now()
      case .piece(let range):
        received = range.upperBound
        wireBytes = plan.wireBytes * received / plan.bodyCount
        if let receiver { try await deliver(response.body.slice(range), to: receiver) }
        reportProgress(plan, isLast: false)
      }
    }
    reportProgress(plan, isLast: true)
    let isWhole = plan.bodyCount == response.body.count
    let body = isWhole ? response.body : response.body.slice(0..<plan.bodyCount)
    return HTTPResponse(
      status: response.status, headers: response.headers,
      body: receiver == nil ? body : ResponseBody(), url: request.url, timings: timings())
  }

  /// Simulates name resolution; the caller applies the timeout.
  mutating func resolveName(for duration: Duration) async throws(RequestError) {
    resolving = duration
    do {
      try await time.sleep(duration)
    } catch {
      throw self.error(.cancelled(.byCaller))
    }
  }

  /// Creates an error with the facts of the request. The query is left out, because it may hold secrets.
  func error(_ kind: RequestError.Kind) -> RequestError {
    let url = request.url
    return RequestError(
      kind, request: "\(request.method) \(url.origin)\(url.path)", timings: timings())
  }

  /// Throws if the task was cancelled or the total timeout has passed.
  func checkEnded() throws(RequestError) {
    if Task.isCancelled { throw error(.cancelled(.byCaller)) }
    if remaining <= .zero { throw error(.timeout(.total)) }
  }

  private var remaining: Duration { request.timeouts.total - (time.now() - started) }

  /// The time that the exchange may stall, and the timeout that ends it then.
  private var patience: (span: Duration, phase: RequestError.Phase) {
    remaining <= request.timeouts.idle ? (remaining, .total) : (request.timeouts.idle, .idle)
  }

  private func sleep(_ duration: Duration) async throws(RequestError) {
    let (span, phase) = patience
    do {
      try await time.sleep(min(duration, span))
    } catch {
      throw self.error(.cancelled(.byCaller))
    }
    if duration >= span { throw error(.timeout(phase)) }
    try checkEnded()
  }

  private func wait(for gate: Gate) async throws(RequestError) {
    let (span, phase) = patience
    switch await gate.pass(within: span, of: time) {
    case .opened: try checkEnded()
    case .timedOut: throw error(.timeout(phase))
    case .cancelled: throw error(.cancelled(.byCaller))
    }
  }

  private func deliver(
    _ piece: ResponseBody, to receiver: @Sendable (_ piece: ResponseBody) async throws -> Void
  ) async throws(RequestError) {
    do {
      try await receiver(piece)
    } catch {
      throw self.error(Task.isCancelled ? .cancelled(.byCaller) : .receiverFailed("\(error)"))
    }
    try checkEnded()
  }

  private mutating func reportProgress(_ plan: ResponsePlan, isLast: Bool) {
    guard let handler = request.progress else { return }
    let now = time.now()
    if !isLast {
      guard now - (lastProgress ?? started) >= .milliseconds(100) else { return }
      lastProgress = now
    }
    let sent = request.body?.length ?? 0
    let isEncoded = plan.wireBytes != plan.bodyCount
    handler(
      HTTPRequest.Progress(
        sent: sent, toSend: sent, received: received, toReceive: isEncoded ? nil : plan.bodyCount))
  }

  private func timings() -> HTTPResponse.Timings {
    let now = time.now()
    var timings = HTTPResponse.Timings()
    timings.dns = min(resolving, now - started)
    timings.wait = (headAt ?? now) - started - timings.dns
    timings.receive = now - (headAt ?? now)
    timings.total = now - started
    timings.httpVersion = headAt == nil ? "" : "HTTP/1.1"
    timings.wireBytes = wireBytes
    timings.decodedBytes = received
    timings.sentBytes = request.body?.length ?? 0
    return timings
  }
}

extension ResponseBody {
  /// Returns a copy of part of the bytes.
  func slice(_ range: Range<Int>) -> ResponseBody {
    withUnsafeBytes { ResponseBody(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}
