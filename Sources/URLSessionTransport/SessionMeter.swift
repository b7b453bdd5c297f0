#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import ServerAPI

  /// Counts the received bytes of one request and checks the limits.
  ///
  /// The session decodes bodies itself, so that only decoded bytes can be counted as they arrive. The size on the wire is
  /// that announced by the server, or known from the metrics at the end, or the decoded size of a body without coding.
  struct SessionMeter: Sendable {
    /// How an exchange ends.
    enum End: Sendable {
      case complete
      case failed(RequestError.Kind)
    }

    private let limits: HTTPRequest.Limits
    private let method: HTTPMethod
    private let bodyLength: Int
    private let share: MemoryBudget.Share?
    private(set) var head: SessionHead?
    private(set) var headAt: Duration?
    private var isCoded = false
    private var announcedOnWire: Int?
    private(set) var received = 0
    /// Why no more is read.
    private(set) var end: End?
    private(set) var sent = 0
    private(set) var phases: SessionPhases?

    init(_ request: HTTPRequest, _ share: MemoryBudget.Share?) {
      limits = request.limits
      method = request.method
      bodyLength = request.body?.length ?? 0
      self.share = share
    }

    /// Whether there is a connection. The session doesn't say before a request without a body has its response.
    var isConnected: Bool { bodyLength == 0 || sent > 0 || headAt != nil }

    /// The announced length of the body, if that is also its decoded length.
    var announced: Int? { isCoded ? nil : announcedOnWire }

    private var status: Int { head?.status ?? 0 }
    var isSuccess: Bool { (200..<300).contains(status) }
    private var hasBody: Bool { method != .head && status != 204 && status != 304 }

    mutating func receive(_ head: SessionHead, at now: Duration) {
      self.head = head
      headAt = headAt ?? now
      isCoded = !head.headers.contentCodings.isEmpty
      announcedOnWire = hasBody ? head.headers.contentLength : nil
      if head.headers.fields.count > limits.headerCount {
        fail(.tooLarge(.headerCount, allowed: limits.headerCount))
      } else if head.bytes > limits.headerBytes {
        fail(.tooLarge(.headerBytes, allowed: limits.headerBytes))
      } else if isSuccess, let announcedOnWire {
        if announcedOnWire > limits.wireBytes {
          fail(.tooLarge(.wireBytes, allowed: limits.wireBytes))
        } else if !isCoded, announcedOnWire > limits.decodedBytes {
          fail(.tooLarge(.decodedBytes, allowed: limits.decodedBytes))
        }
      }
    }

    /// Counts bytes of the body and returns how many of them are within the limits.
    mutating func admit(_ count: Int) -> Int {
      let (limit, end) = bodyLimit
      let allowed = max(0, min(count, limit - received))
      received += allowed
      if allowed < count { self.end = self.end ?? end }
      if let share, !share.grow(to: received) { fail(.tooLarge(.memory, allowed: share.total)) }
      return allowed
    }

    /// The lowest limit, and how the exchange ends there. The body of a redirect or an error is cut without a failure.
    private var bodyLimit: (Int, End) {
      var limit = (limits.decodedBytes, End.failed(.tooLarge(.decodedBytes, allowed: limits.decodedBytes)))
      func lower(_ bytes: Int, _ end: End) { if bytes < limit.0 { limit = (bytes, end) } }
      if !isCoded {
        lower(limits.wireBytes, .failed(.tooLarge(.wireBytes, allowed: limits.wireBytes)))
      } else if let announcedOnWire {
        lower(bytes(decodedOf: announcedOnWire), .failed(ratioExcess))
      }
      if (300..<400).contains(status) { lower(limits.redirectBodyBytes, .complete) }
      if status >= 400 { lower(limits.errorBodyBytes, .complete) }
      return limit
    }

    private var ratioExcess: RequestError.Kind {
      .tooLarge(.decompressionRatio, allowed: limits.decompressionRatio)
    }

    /// The most bytes that may be decoded of so many on the wire.
    private func bytes(decodedOf wire: Int) -> Int {
      let (product, overflows) = max(1, wire).multipliedReportingOverflow(by: limits.decompressionRatio + 1)
      return max(limits.decompressionFloor, overflows ? .max : product - 1)
    }

    mutating func sent(_ count: Int) { sent = max(sent, count) }

    mutating func finish(_ phases: SessionPhases?) { self.phases = phases }

    private mutating func fail(_ kind: RequestError.Kind) { end = end ?? .failed(kind) }

    /// How the exchange ends when the session reports no error.
    var endOfSession: End {
      guard head != nil else { return .failed(.protocolViolation("it has no status line")) }
      if let announced, received < announced {
        return .failed(.connectionLost(bytesReceived: received, reused: false))
      }
      // Only the metrics count what was on the wire of a body without an announced length.
      if isCoded, let phases, phases.wireBytes > 0 {
        if phases.wireBytes > limits.wireBytes {
          return .failed(.tooLarge(.wireBytes, allowed: limits.wireBytes))
        }
        if received > bytes(decodedOf: phases.wireBytes) { return .failed(ratioExcess) }
      }
      return .complete
    }

    /// The timings at a time since the start.
    func timings(started: Duration, now: Duration) -> HTTPResponse.Timings {
      var timings = HTTPResponse.Timings()
      if let phases {
        timings = phases.timings(total: now - started)
      } else {
        timings.wait = (headAt ?? now) - started
        timings.receive = now - (headAt ?? now)
        timings.total = now - started
      }
      let measured = phases.map(\.wireBytes) ?? 0
      timings.wireBytes = isCoded ? (measured > 0 ? measured : announcedOnWire ?? received) : received
      timings.decodedBytes = received
      timings.sentBytes = headAt == nil ? sent : bodyLength
      return timings
    }
  }
#endif
