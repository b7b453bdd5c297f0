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

/// The steps in which a response reaches a caller, with limits applied.
///
/// The plan has no clock and never waits; ``ResponsePlayer`` carries it out.
struct ResponsePlan: Sendable {
  /// One step.
  enum Step: Sendable {
    case wait(Gate)
    case sleep(Duration)
    case fail(RequestError.Kind)
    /// The head has arrived: the time after it counts as receiving.
    case head
    /// Bytes of the body arrive.
    case piece(Range<Int>)
  }

  private(set) var steps: [Step] = []
  /// The number of body bytes that arrive if nothing fails.
  let bodyCount: Int
  let wireBytes: Int

  init(_ response: MockResponse, for request: HTTPRequest, pieceSize: Int) {
    bodyCount = Self.bodyCount(response, request)
    let isWhole = bodyCount == response.body.count
    wireBytes = isWhole ? response.wireBytes ?? bodyCount : bodyCount
    var obstacles = response.obstacles
    if let limit = Self.firstLimit(decoded: bodyCount, wire: wireBytes, request.limits) {
      obstacles.append((limit.offset, .failure(limit.kind)))
    }
    obstacles = obstacles.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)

    steps += obstacles.prefix { $0.offset <= 0 }.map { Self.step($0.what) }
    steps += Self.headLimit(response, request.limits).map { [.fail($0)] } ?? [.head]
    var position = 0
    for obstacle in obstacles.drop(while: { $0.offset <= 0 }) {
      addPieces(from: &position, to: min(obstacle.offset, bodyCount), pieceSize)
      steps.append(Self.step(obstacle.what))
    }
    addPieces(from: &position, to: bodyCount, pieceSize)
  }

  private mutating func addPieces(from position: inout Int, to end: Int, _ pieceSize: Int) {
    while position < end {
      let next = min(position + pieceSize, end)
      steps.append(.piece(position..<next))
      position = next
    }
  }

  private static func step(_ obstacle: MockResponse.Obstacle) -> Step {
    switch obstacle {
    case .gate(let gate): .wait(gate)
    case .delay(let duration): .sleep(duration)
    case .failure(let kind): .fail(kind)
    }
  }

  private static func bodyCount(_ response: MockResponse, _ request: HTTPRequest) -> Int {
    switch response.status {
    case _ where request.method == .head: 0
    case 204, 304: 0
    case 300..<400: min(response.body.count, request.limits.redirectBodyBytes)
    default: response.body.count
    }
  }

  /// Checks the header limits, with the size of a head in HTTP/1.1 including the status line.
  private static func headLimit(
    _ response: MockResponse, _ limits: HTTPRequest.Limits
  ) -> RequestError.Kind? {
    let fields = response.headers.fields
    if fields.count > limits.headerCount {
      return .tooLarge(.headerCount, allowed: limits.headerCount)
    }
    let bytes = fields.reduce(19) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    return bytes > limits.headerBytes ? .tooLarge(.headerBytes, allowed: limits.headerBytes) : nil
  }

  /// Returns the limit that the body exceeds first, and the number of decoded bytes before that.
  private static func firstLimit(
    decoded: Int, wire: Int, _ limits: HTTPRequest.Limits
  ) -> (offset: Int, kind: RequestError.Kind)? {
    var broken: [(offset: Int, kind: RequestError.Kind)] = []
    if wire > limits.wireBytes {
      let offset = Double(limits.wireBytes) / Double(wire) * Double(decoded)
      broken.append((Int(offset), .tooLarge(.wireBytes, allowed: limits.wireBytes)))
    }
    if decoded > limits.decodedBytes {
      broken.append((limits.decodedBytes, .tooLarge(.decodedBytes, allowed: limits.decodedBytes)))
    }
    let ratio = limits.decompressionRatio
    if decoded > limits.decompressionFloor, Double(decoded) > Double(wire) * Double(ratio) {
      broken.append((limits.decompressionFloor, .tooLarge(.decompressionRatio, allowed: ratio)))
    }
    return broken.min { $0.offset < $1.offset }
  }
}
