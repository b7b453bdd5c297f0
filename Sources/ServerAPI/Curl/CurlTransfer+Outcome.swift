internal import CCurl

extension CurlTransfer {
  /// Returns the response. Requires the handle, for the timings.
  func response() -> HTTPResponse {
    let body = streams ? ResponseBody() : self.body.finish(share)
    var response = HTTPResponse(
      status: head.status, headers: head.headers(), body: body, url: request.url,
      timings: timings())
    response.interim = head.interim
    response.endsWithConnection =
      isTruncated && head.status >= 400
      || head.httpVersion.hasPrefix("HTTP/1") && !response.body.isEmpty
        && response.headers["Content-Length"] == nil && response.headers["Transfer-Encoding"] == nil
    return response
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
