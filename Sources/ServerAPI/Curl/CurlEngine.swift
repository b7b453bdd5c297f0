#if LIBCURL
  internal import CCurl

  /// Owns the multi handle and its transfers.
  ///
  /// `@unchecked Sendable` is safe because ``CurlCommandQueue`` lets one thread use it at a time. Only ``watch`` is used
  /// besides: to wait, and to end the wait.
  final class CurlEngine: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer
    let watch: CurlWatch
    private let configuration: CurlTransport.Configuration
    private let certificate: LoadedCertificate?
    private let library = CurlLibrary.shared
    var dispatcher: Dispatcher
    var waiting: [Int: CurlTransfer] = [:]
    var running: [Int: CurlTransfer] = [:]
    private var spareHandles: [CurlHandle] = []
    /// Transfers with pieces or progress to deliver after this round.
    private var updated: [CurlTransfer] = []
    /// The connections that no transfer uses.
    private var idle = IdleConnections()
    /// Origins that libcurl parses as we do.
    private var checkedOrigins: Set<WebURL.Origin> = []
    /// Whether a waiting transfer may be able to start since the last check.
    var hasNewRoom = false
    /// Whether a transfer got a connection in this round; it may be one that another transfer has left.
    var assignedConnection = false
    /// The next time at which a deadline or an idle limit may have passed.
    var nextCheck = Int64.max
    /// The next time at which libcurl looks at all transfers; `.max` if none is running.
    var nextSweep = Int64.max
    /// How often in a row there were events of sockets for which nothing waits.
    var staleRounds = 0
    /// When the last transfer ended.
    private var lastWork = MonotonicClock.now()
    private var isClosed = false

    init?(_ configuration: CurlTransport.Configuration, _ certificate: LoadedCertificate?) {
      guard let watch = CurlWatch(), let multi = curl_multi_init() else { return nil }
      self.multi = multi
      self.watch = watch
      watch.attach(to: multi)
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

    deinit { close() }

    /// Releases what belongs to libcurl, on the thread of the loop: closing a connection may write to it.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      spareHandles = []
      curl_multi_cleanup(multi)
    }

    /// Whether any transfer is running or waiting.
    var hasWork: Bool { !running.isEmpty || !waiting.isEmpty }

    /// When the thread ends if there is no work.
    var idleEnd: Int64 { lastWork.advanced(by: configuration.idleLifetime) }

    // MARK: Commands

    /// Starts a transfer, or lets it wait; not `atOnce` if others follow that may have a higher priority.
    func start(_ transfer: CurlTransfer, atOnce: Bool = true) {
      if transfer.isCancelled { return end(transfer, .cancelled(.byCaller)) }
      guard checkAddress(of: transfer) else { return }
      let isStarted = dispatcher.add(
        transfer.id, origin: transfer.origin, priority: transfer.priority, mayStart: atOnce)
      if isStarted { return begin(transfer) }
      transfer.phase = .waiting
      waiting[transfer.id] = transfer
      // It may be queued only behind transfers of another origin, while its own has room.
      hasNewRoom = true
      nextCheck = min(nextCheck, transfer.deadline)
    }

    /// Cancels a transfer. A cancel may arrive before its start, which then finds the transfer marked.
    func cancel(_ transfer: CurlTransfer) {
      if transfer.phase != .new { end(transfer, .cancelled(.byCaller)) }
    }

    func resume(_ transfer: CurlTransfer) {
      guard transfer.phase == .running, transfer.isPaused, let handle = transfer.handle else {
        return
      }
      transfer.isPaused = false
      transfer.lastActivity = MonotonicClock.now()
      // libcurl delivers what it has kept within this call, and does not keep it again if that fails.
      let code = curl_easy_pause(handle.easy, CURLPAUSE_CONT)
      guard code != CURLE_OK else { return }
      if code == CURLE_ABORTED_BY_CALLBACK, transfer.failure == nil, !transfer.isCancelled {
        // The socket can't be waited for, and the multi handle has stopped working.
        endAll(.unusable("the system can't wait for sockets"))
      } else {
        complete(transfer, code)
      }
    }

    func updatePriority(of transfer: CurlTransfer) {
      dispatcher.setPriority(transfer.id, transfer.priority)
    }

    // MARK: Called by callbacks

    /// Returns the socket of a reused connection.
    func takeConnection(_ name: ConnectionName) -> ConnectedSocket? { idle.take(name) }

    func didConnect(to origin: WebURL.Origin, multiplexed: Bool) {
      dispatcher.connected(origin, multiplexed: multiplexed)
      if !multiplexed { assignedConnection = true }
      hasNewRoom = true
    }

    func markUpdated(_ transfer: CurlTransfer) {
      guard !transfer.hasUpdate else { return }
      transfer.hasUpdate = true
      updated.append(transfer)
    }

    // MARK: One transfer

    /// Checks, once per origin, that libcurl finds the same host and port in the address.
    private func checkAddress(of transfer: CurlTransfer) -> Bool {
      if checkedOrigins.contains(transfer.origin) { return true }
      if let problem = CurlAddress.parserMismatch(for: transfer.request.url) {
        transfer.finish(.failure(failure(of: transfer, .invalidRequest(.init(.url, problem)))))
        return false
      }
      if checkedOrigins.count >= 1_024 { checkedOrigins = [] }
      checkedOrigins.insert(transfer.origin)
      return true
    }

    func begin(_ transfer: CurlTransfer) {
      let now = MonotonicClock.now()
      transfer.phase = .running
      transfer.engine = self
      transfer.started = now
      transfer.lastActivity = now
      transfer.upload = transfer.request.body.map(RequestBody.Reader.init)
      running[transfer.id] = transfer
      // The cancel command may still be in the queue.
      if transfer.isCancelled { return end(transfer, .cancelled(.byCaller)) }
      guard
        let handle = spareHandles.popLast()
          ?? CurlHandle(configuration, certificate, library: library)
      else {
        return end(transfer, .unusable("libcurl can't create an easy handle"))
      }
      transfer.handle = handle
      handle.prepare(for: transfer, remaining: .nanoseconds(max(1, transfer.deadline - now)))
      if let error = handle.optionError { return end(transfer, .unusable(error)) }
      idle.closeUnclean()
      let code = curl_multi_add_handle(multi, handle.easy)
      guard code == CURLM_OK else {
        return end(
          transfer, .unusable("libcurl failed: " + String(cString: curl_multi_strerror(code))))
      }
      nextCheck = min(nextCheck, now.advanced(by: transfer.request.timeouts.idle))
    }

    /// Completes a transfer that libcurl has finished.
    func complete(_ transfer: CurlTransfer, _ code: CURLcode) {
      if transfer.failure == nil, code == CURLE_OK || transfer.isTruncated {
        if let failure = transfer.incompleteFailure { return end(transfer, failure) }
        let response = transfer.response()
        watchConnection(of: transfer)
        detach(transfer)
        transfer.finish(.success(response))
      } else if transfer.isCancelled {
        end(transfer, .cancelled(.byCaller))
      } else {
        end(transfer, transfer.failure ?? transfer.kind(of: code, configuration))
      }
    }

    /// Watches the connection of a completed transfer until the next one uses it, unless one already does.
    private func watchConnection(of transfer: CurlTransfer) {
      guard let handle = transfer.handle, let connection = transfer.connection,
        transfer.head.httpVersion.hasPrefix("HTTP/1")
      else { return }
      let isTaken =
        assignedConnection
        && running.values.contains { $0 !== transfer && $0.connection == connection }
      guard !isTaken else { return }
      handle.closeConnectionWithUnreadBytes()
      idle.add(socket: ccurl_active_socket(handle.easy), connection)
    }

    /// Ends a transfer in any phase with a failure.
    func end(_ transfer: CurlTransfer, _ kind: RequestError.Kind) {
      switch transfer.phase {
      case .over: return
      case .new, .waiting:
        waiting[transfer.id] = nil
        _ = dispatcher.remove(transfer.id)
        transfer.finish(.failure(failure(of: transfer, kind)))
      case .running:
        let error = failure(of: transfer, kind)
        detach(transfer)
        transfer.finish(.failure(error))
      }
    }

    /// Removes a transfer from libcurl and keeps its handle for the next one.
    private func detach(_ transfer: CurlTransfer) {
      lastWork = MonotonicClock.now()
      running[transfer.id] = nil
      dispatcher.finished(
        transfer.origin, connected: transfer.hasConnection,
        overHTTP1: transfer.head.httpVersion.hasPrefix("HTTP/1"))
      hasNewRoom = true
      transfer.flush()
      if transfer.hasUpdate { updated.removeAll { $0 === transfer } }
      transfer.engine = nil
      transfer.upload = nil
      guard let handle = transfer.handle else { return }
      transfer.handle = nil
      curl_multi_remove_handle(multi, handle.easy)
      if spareHandles.count < configuration.exchanges { spareHandles.append(handle) }
    }

    func deliverUpdates() {
      guard !updated.isEmpty else { return }
      for transfer in updated {
        transfer.hasUpdate = false
        transfer.deliverUpdate()
      }
      updated.removeAll(keepingCapacity: true)
    }

    private func failure(of transfer: CurlTransfer, _ kind: RequestError.Kind) -> RequestError {
      RequestError(kind, timings: transfer.timings())
    }
  }
#endif
