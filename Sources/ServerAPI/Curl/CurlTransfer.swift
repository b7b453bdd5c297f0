#if LIBCURL
  internal import CCurl
  internal import Support
  internal import Synchronization

  /// An exchange in the loop.
  ///
  /// `@unchecked Sendable` is safe by confinement: the task that creates it does not write to it after passing it
  /// to the loop, and then only the thread that uses the engine accesses it, except `cancelFlag` and `mailbox`, which
  /// are thread-safe.
  final class CurlTransfer: @unchecked Sendable {
    private static let numbers = Atomic(0)

    /// A number that increases in order of arrival.
    let id = CurlTransfer.numbers.add(1, ordering: .relaxed).newValue
    let request: HTTPRequest
    let origin: WebURL.Origin
    /// When the caller submitted the request, in nanoseconds.
    let submitted: Int64
    /// Set from any thread; the loop checks it regularly.
    private let cancelFlag = Atomic(false)
    /// Passes pieces and progress to the caller, if the request has a receiver or progress handler.
    let mailbox: CurlMailbox?
    /// Resumed once with the outcome; only for exchanges without a mailbox.
    var continuation: UnsafeContinuation<Result<HTTPResponse, RequestError>, Never>?

    // The rest belongs to the thread that uses the engine.
    var phase = Phase.new
    var engine: CurlEngine?
    var handle: CurlHandle?
    var head = ReceivedHead()
    let body = ResponseBuilder()
    /// The part of the memory budget that the body takes.
    private(set) lazy var share = request.memory?.share()
    var upload: RequestBody.Reader?
    /// The failure in a callback, which is more exact than libcurl's code.
    var failure: RequestError.Kind?
    /// Whether the rest of the body of a redirect or an error was not read; the response counts as complete.
    var isTruncated = false
    var isPaused = false
    var hasUpdate = false
    /// Whether libcurl has assigned a connection; a second one means that the first one was closed.
    var hasConnection = false
    /// The ends of the connection.
    var connection: ConnectionName?
    /// The socket of a reused HTTP/1 connection.
    var reusedSocket: ConnectedSocket?
    var started: Int64 = 0
    var lastActivity: Int64 = 0
    var lastProgress: Int64 = 0
    var bodySent: Int64 = 0
    /// Whether the first byte of the body has arrived.
    var hasBody = false
    /// Decodes the body, if it has a coding.
    var decoder: BodyDecoder?
    /// The number of consumed bytes in the chunk that libcurl will pass again after a pause.
    var consumedOfChunk = 0
    /// Body bytes on the wire.
    var wireBytes = 0
    /// Body bytes after decoding.
    var receivedBytes = 0
    var sentBytes = 0

    enum Phase { case new, waiting, running, over }

    init(_ request: HTTPRequest, now: Int64) {
      self.request = request
      origin = request.url.origin
      submitted = now
      mailbox = request.receiver == nil && request.progress == nil ? nil : CurlMailbox()
    }

    /// The deadline, in nanoseconds.
    var deadline: Int64 { submitted.advanced(by: request.timeouts.total) }

    /// The number of the observer of its handle; set before the loop has the transfer.
    var observer: Int?

    /// The priority of its handle now, which may have changed since the request was made.
    var priority: HTTPRequest.Priority { request.priorityHandle?.value ?? request.priority }

    /// Whether the body goes to the receiver: only that of a successful response, so that the body of an error
    /// stays in the response.
    var streams: Bool { request.receiver != nil && (200..<300).contains(head.status) }

    var isCancelled: Bool { cancelFlag.load(ordering: .acquiring) }
    func markCancelled() { cancelFlag.store(true, ordering: .releasing) }

    func finish(_ result: Result<HTTPResponse, RequestError>) {
      guard phase != .over else { return }
      phase = .over
      if let observer { request.priorityHandle?.stopObserving(observer) }
      // The body has it, if there is one; the caller may need the room of a failed one at once.
      share = nil
      if let mailbox {
        mailbox.finish(result)
      } else if let continuation {
        self.continuation = nil
        HandOver.willResume(self)
        continuation.resume(returning: result)
      }
    }
  }

  extension Int64 {
    /// Returns the time after a duration, in nanoseconds. The result saturates, and is never earlier than the
    /// start.
    func advanced(by span: Duration) -> Int64 {
      let (sum, overflow) = addingReportingOverflow(Swift.max(0, span.nanoseconds))
      return overflow ? .max : sum
    }
  }

  extension Duration {
    /// Whole nanoseconds, saturating.
    var nanoseconds: Int64 {
      let (seconds, attoseconds) = components
      let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
      return isTooLong || overflow ? (seconds < 0 ? .min : .max) : sum
    }

    /// Whole milliseconds, rounded up, in the range of libcurl.
    var milliseconds: Int {
      let longest = Int64(Int32.max)
      return Int((max(1, min(nanoseconds, longest * 1_000_000)) + 999_999) / 1_000_000)
    }
  }

  extension CurlTransfer {
    /// Returns the response. Requires the handle, for the timings.
    func response() -> HTTPResponse {
      let body = streams ? ResponseBody() : self.body.finish(share)
      let headers = head.headers()
      var record = HTTPResponse.Record(timings: timings())
      record.interim = head.interim
      record.endsWithConnection =
        isTruncated && head.status >= 400
        || head.httpVersion.hasPrefix("HTTP/1") && !body.isEmpty
          && headers["Content-Length"] == nil && headers["Transfer-Encoding"] == nil
      return HTTPResponse(
        status: head.status, headers: headers, body: body, url: request.url, record: record)
    }

    /// Whether the connection was reused.
    private var isReused: Bool {
      guard let easy = handle?.easy else { return false }
      return hasConnection && ccurl_get_long(easy, CURLINFO_NUM_CONNECTS) == 0
    }

    /// The failure of a response that is incomplete although libcurl reports success.
    var incompleteFailure: RequestError.Kind? {
      if !head.isComplete || head.status < 200 {
        return .connectionLost(bytesReceived: head.size, reused: isReused)
      }
      if (200..<300).contains(head.status), sentBytes < request.body?.length ?? 0,
        head.httpVersion.hasPrefix("HTTP/1")
      {
        return prematureFailure
      }
      guard let decoder, !decoder.isComplete, !isTruncated else { return nil }
      return .undecodable("the compressed body is truncated after \(receivedBytes) bytes")
    }

    func kind(of code: CURLcode, _ configuration: CurlTransport.Configuration) -> RequestError.Kind {
      guard let easy = handle?.easy else { return .unusable("the transfer has no handle") }
      return CurlFailure(
        number: code.rawValue,
        systemError: Int32(truncatingIfNeeded: ccurl_get_long(easy, CURLINFO_OS_ERRNO)),
        verdict: ccurl_get_long(easy, CURLINFO_SSL_VERIFYRESULT),
        proxyStatus: ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE),
        text: handle?.failureText ?? "",
        proxy: configuration.proxy,
        progress: progress(of: easy),
        reused: isReused,
        bytesReceived: head.size + receivedBytes,
        host: request.url.host,
        port: request.url.port,
        totalEndsFirst: deadline <= started.advanced(by: request.timeouts.connect),
        isInHead: hasConnection && !head.isComplete
      ).kind
    }

    private func progress(of easy: UnsafeMutableRawPointer) -> CurlFailure.Progress {
      if hasConnection { return .connected }
      // libcurl 7.88 knows the time of connecting only after the handshake, but the port at once.
      if ccurl_get_long(easy, CURLINFO_LOCAL_PORT) > 0 { return .securing }
      return ccurl_get_off(easy, CURLINFO_NAMELOOKUP_TIME_T) > 0 ? .connecting : .resolving
    }

    /// Returns the time spent in each phase so far.
    func timings() -> HTTPResponse.Timings {
      var timings = HTTPResponse.Timings()
      let now = MonotonicClock.now()
      timings.total = .nanoseconds(now - submitted)
      guard started > 0 else {
        timings.queue = timings.total
        return timings
      }
      timings.queue = .nanoseconds(started - submitted)
      guard let easy = handle?.easy else { return timings }
      // In microseconds since the start; 0 for a phase that was not reached.
      func moment(_ info: CURLINFO) -> Int { Int(ccurl_get_off(easy, info)) }
      var last = 0
      func phase(endingAt end: Int) -> Duration {
        guard end > last else { return .zero }
        defer { last = end }
        return .microseconds(end - last)
      }
      timings.dns = phase(endingAt: moment(CURLINFO_NAMELOOKUP_TIME_T))
      timings.connect = phase(endingAt: moment(CURLINFO_CONNECT_TIME_T))
      timings.tls = phase(endingAt: moment(CURLINFO_APPCONNECT_TIME_T))
      let ready = moment(CURLINFO_PRETRANSFER_TIME_T)
      timings.send = phase(
        endingAt: bodySent > 0 ? max(ready, Int(bodySent - started) / 1_000) : ready)
      timings.wait = phase(endingAt: moment(CURLINFO_STARTTRANSFER_TIME_T))
      timings.receive = phase(endingAt: moment(CURLINFO_TOTAL_TIME_T))
      timings.reused = isReused
      timings.httpVersion = head.httpVersion
      timings.wireBytes = wireBytes
      timings.decodedBytes = receivedBytes
      timings.sentBytes = sentBytes
      return timings
    }

    // MARK: Pieces and progress

    /// Delivers the pieces and the progress of this round.
    func deliverUpdate() {
      if streams, body.count > 0 { mailbox?.put(body.finish()) }
      let now = MonotonicClock.now()
      if request.progress != nil, now - lastProgress >= 100_000_000 {
        lastProgress = now
        mailbox?.put(progress())
      }
    }

    /// Delivers the rest before the outcome.
    func flush() {
      guard let mailbox else { return }
      if streams, body.count > 0 { mailbox.put(body.finish()) }
      if request.progress != nil { mailbox.put(progress()) }
    }

    private func progress() -> HTTPRequest.Progress {
      HTTPRequest.Progress(
        sent: sentBytes, toSend: request.body?.length, received: receivedBytes,
        toReceive: head.coding != nil ? nil : head.announcedLength)
    }
  }
#endif
