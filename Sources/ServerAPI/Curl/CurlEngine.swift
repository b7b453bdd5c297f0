internal import CCurl

/// Owns the multi handle and everything in it. Made, used and freed on the thread of the loop.
final class CurlEngine {
  let multi: UnsafeMutableRawPointer
  private let configuration: CurlTransport.Configuration
  private let certificate: LoadedCertificate?
  private let library = CurlLibrary.shared
  private var dispatcher: Dispatcher
  private var waiting: [UInt64: CurlTransfer] = [:]
  private var running: [UInt64: CurlTransfer] = [:]
  private var spareHandles: [CurlHandle] = []
  /// Transfers whose owner should be told of pieces or progress after this round.
  private var news: [CurlTransfer] = []
  /// Origins whose address libcurl was found to read as we do.
  private var agreedOrigins: Set<WebURL.Origin> = []
  /// Whether room may have come free since the last look.
  private var hasNewRoom = false
  /// Whether a transfer was given a connection in this round; it may be one that another left.
  private var handedOutConnection = false
  /// When a deadline or an idle limit may have passed next.
  private var nextCheck = Int64.max

  init?(_ configuration: CurlTransport.Configuration, _ certificate: LoadedCertificate?) {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
    self.configuration = configuration
    self.certificate = certificate
    dispatcher = Dispatcher(
      .init(
        connectionsPerHost: configuration.connectionsPerHost,
        streamsPerHost: configuration.streamsPerHost, exchanges: configuration.exchanges))
    ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.exchanges)
    ccurl_multi_set_long(
      multi, CURLMOPT_MAX_CONCURRENT_STREAMS, min(configuration.streamsPerHost, 1 << 30))
  }

  deinit {
    spareHandles = []
    curl_multi_cleanup(multi)
  }

  /// Whether libcurl has anything to do.
  var isRunning: Bool { !running.isEmpty }
  /// Whether anything was taken in and is not over.
  var hasWork: Bool { !running.isEmpty || !waiting.isEmpty }

  // MARK: Commands

  func start(_ transfer: CurlTransfer) {
    if transfer.isCancelled { return end(transfer, .cancelled(.byCaller)) }
    guard agrees(on: transfer) else { return }
    // The handle knows of changes that were made before the loop could be told of them.
    let priority = transfer.request.priorityHandle?.value ?? transfer.request.priority
    if dispatcher.add(transfer.id, origin: transfer.origin, priority: priority) {
      return begin(transfer)
    }
    transfer.phase = .waiting
    waiting[transfer.id] = transfer
    // It may wait behind those of another origin only, while its own has room.
    hasNewRoom = true
    nextCheck = min(nextCheck, transfer.deadline)
  }

  /// A cancel may overtake the start it belongs to, which then finds the mark on the transfer.
  func cancel(_ transfer: CurlTransfer) {
    if transfer.phase != .new { end(transfer, .cancelled(.byCaller)) }
  }

  func resume(_ transfer: CurlTransfer) {
    guard transfer.phase == .running, transfer.isPaused, let handle = transfer.handle else {
      return
    }
    transfer.isPaused = false
    transfer.lastActivity = MonotonicClock.now()
    // What libcurl has kept is handed in at once. It forgets when that is refused.
    let code = curl_easy_pause(handle.easy, CURLPAUSE_CONT)
    if code != CURLE_OK { complete(transfer, code) }
  }

  func setPriority(_ transfer: CurlTransfer, _ priority: Priority) {
    dispatcher.setPriority(transfer.id, priority)
  }

  // MARK: Rounds

  /// Starts what there is room for. Commands come first, so that a change of priority counts for
  /// all that has not started when it was made.
  func startWaiting() {
    guard hasNewRoom else { return }
    hasNewRoom = false
    while let id = dispatcher.next() {
      if let transfer = waiting.removeValue(forKey: id) { begin(transfer) }
    }
    dispatcher.forgetIdleHosts(keeping: 256)
  }

  /// Whether something that waits may be able to start now.
  var hasRoomForWaiting: Bool { hasNewRoom && !waiting.isEmpty }

  /// Lets libcurl do what can be done now and hands out what is finished.
  func perform() {
    var count: Int32 = 0
    handedOutConnection = false
    check(curl_multi_perform(multi, &count))
    tellNews()
    var code = CURLE_OK
    while let easy = ccurl_multi_next_done(multi, &code) {
      complete(CurlTransfer.of(ccurl_get_private(easy)), code)
    }
  }

  /// Sleeps until a socket or another thread has something, one second at most: a wake-up that gets
  /// lost must not hang a call.
  func poll(atMost span: Duration) {
    check(curl_multi_poll(multi, nil, 0, Int32(min(span.milliseconds, 1_000)), nil))
  }

  /// A multi handle that fails would do so in every round, as fast as it can.
  private func check(_ code: CURLMcode) {
    if code != CURLM_OK { endAll(.unusable(String(cString: curl_multi_strerror(code)))) }
  }

  /// Ends what has run out of time. Returns for how long nothing else will.
  func expire() -> Duration {
    let now = MonotonicClock.now()
    guard now >= nextCheck else { return .nanoseconds(nextCheck - now) }
    nextCheck = .max
    for transfer in Array(waiting.values) {
      if now >= transfer.deadline {
        end(transfer, .timeout(.queue))
      } else {
        nextCheck = min(nextCheck, transfer.deadline)
      }
    }
    for transfer in Array(running.values) {
      // A receiver that is slow and a connection that is not there yet have limits of their own.
      let rests = transfer.isPaused || !transfer.hasConnection
      let limit = (rests ? now : transfer.lastActivity).advanced(by: transfer.request.timeouts.idle)
      if now >= limit {
        end(transfer, .timeout(.idle))
      } else {
        nextCheck = min(nextCheck, limit)
      }
    }
    return .nanoseconds(max(0, nextCheck - now))
  }

  /// Ends everything: the loop can't go on.
  func endAll(_ kind: RequestError.Kind) {
    for transfer in Array(running.values) + Array(waiting.values) { end(transfer, kind) }
  }

  // MARK: Told by callbacks

  func noteConnection(to origin: WebURL.Origin, multiplexed: Bool) {
    dispatcher.connected(origin, multiplexed: multiplexed)
    if !multiplexed { handedOutConnection = true }
    hasNewRoom = true
  }

  func noteNews(_ transfer: CurlTransfer) {
    guard !transfer.hasNews else { return }
    transfer.hasNews = true
    news.append(transfer)
  }

  // MARK: One transfer

  /// Checks once for each origin that libcurl reads the same host and port out of the address.
  private func agrees(on transfer: CurlTransfer) -> Bool {
    if agreedOrigins.contains(transfer.origin) { return true }
    if let problem = CurlAddress.disagreement(on: transfer.request.url) {
      transfer.finish(.failure(failure(of: transfer, .invalidRequest(.init(.url, problem)))))
      return false
    }
    if agreedOrigins.count >= 1_024 { agreedOrigins = [] }
    agreedOrigins.insert(transfer.origin)
    return true
  }

  private func begin(_ transfer: CurlTransfer) {
    let now = MonotonicClock.now()
    transfer.phase = .running
    transfer.engine = self
    transfer.started = now
    transfer.lastActivity = now
    transfer.upload = transfer.request.body.map(RequestBody.Reader.init)
    running[transfer.id] = transfer
    // Its command may still be on the way.
    if transfer.isCancelled { return end(transfer, .cancelled(.byCaller)) }
    guard
      let handle = spareHandles.popLast()
        ?? CurlHandle(configuration, certificate, library: library)
    else {
      return end(transfer, .unusable("libcurl could not make another handle"))
    }
    transfer.handle = handle
    handle.prepare(for: transfer, remaining: .nanoseconds(max(1, transfer.deadline - now)))
    if let refusal = handle.refusal { return end(transfer, .unusable(refusal)) }
    let code = curl_multi_add_handle(multi, handle.easy)
    guard code == CURLM_OK else {
      return end(transfer, .unusable(String(cString: curl_multi_strerror(code))))
    }
    nextCheck = min(nextCheck, now.advanced(by: transfer.request.timeouts.idle))
  }

  /// libcurl is done with a transfer.
  private func complete(_ transfer: CurlTransfer, _ code: CURLcode) {
    if transfer.failure == nil, code == CURLE_OK || transfer.isCut {
      if let problem = transfer.lateFailure { return end(transfer, problem) }
      let response = transfer.response()
      if !handedOutConnection, transfer.head.httpVersion.hasPrefix("HTTP/1") {
        transfer.handle?.closeConnectionWithUnreadBytes()
      }
      leave(transfer)
      transfer.finish(.success(response))
    } else if transfer.isCancelled {
      end(transfer, .cancelled(.byCaller))
    } else {
      end(transfer, transfer.failure ?? transfer.kind(of: code, configuration))
    }
  }

  /// Ends a transfer in any phase with a failure.
  private func end(_ transfer: CurlTransfer, _ kind: RequestError.Kind) {
    switch transfer.phase {
    case .over: return
    case .new, .waiting:
      waiting[transfer.id] = nil
      _ = dispatcher.remove(transfer.id)
      transfer.finish(.failure(failure(of: transfer, kind)))
    case .running:
      let error = failure(of: transfer, kind)
      leave(transfer)
      transfer.finish(.failure(error))
    }
  }

  /// Takes a transfer out of libcurl and keeps its handle for the next one.
  private func leave(_ transfer: CurlTransfer) {
    running[transfer.id] = nil
    dispatcher.finished(
      transfer.origin, connected: transfer.hasConnection,
      overHTTP1: transfer.head.httpVersion.hasPrefix("HTTP/1"))
    hasNewRoom = true
    transfer.flush()
    if transfer.hasNews { news.removeAll { $0 === transfer } }
    transfer.engine = nil
    transfer.upload = nil
    guard let handle = transfer.handle else { return }
    transfer.handle = nil
    curl_multi_remove_handle(multi, handle.easy)
    if spareHandles.count < configuration.exchanges { spareHandles.append(handle) }
  }

  private func tellNews() {
    guard !news.isEmpty else { return }
    for transfer in news {
      transfer.hasNews = false
      transfer.tellNews()
    }
    news.removeAll(keepingCapacity: true)
  }

  private func failure(of transfer: CurlTransfer, _ kind: RequestError.Kind) -> RequestError {
    RequestError(kind, timings: transfer.timings())
  }
}
