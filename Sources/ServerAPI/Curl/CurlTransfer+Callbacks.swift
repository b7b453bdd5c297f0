internal import CCurl

/// What libcurl calls while it works. No error and no trap may pass through its frames: a callback
/// notes what is wrong in the transfer and tells libcurl to stop.
extension CurlTransfer {
  /// The functions are the same for every transfer; ``attach(to:)`` says which one they get.
  static func installCallbacks(on easy: UnsafeMutableRawPointer) {
    ccurl_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
      CurlTransfer.of(context).receive(UnsafeRawBufferPointer(start: bytes, count: count))
    }
    ccurl_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
      CurlTransfer.of(context).receiveHead(UnsafeRawBufferPointer(start: bytes, count: count))
    }
    ccurl_set_data_callback(easy, CURLOPT_READFUNCTION) { buffer, size, count, context in
      CurlTransfer.of(context).provide(
        UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }
    ccurl_set_seek_callback(easy) { context, offset, origin in
      CurlTransfer.of(context).rewind(offset, origin)
    }
    ccurl_set_prereq_callback(easy) { context, _, _, _, _ in
      CurlTransfer.of(context).beginOnConnection()
    }
  }

  func attach(to easy: UnsafeMutableRawPointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    for option in [
      CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
      CURLOPT_PREREQDATA, CURLOPT_PRIVATE,
    ] {
      ccurl_set_pointer(easy, option, context)
    }
  }

  /// The loop keeps a transfer alive for as long as its handle may call back.
  static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
    guard let context else { preconditionFailure("libcurl called back without a transfer") }
    return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  private func stop(_ kind: RequestError.Kind?) -> Int {
    if failure == nil { failure = kind }
    return Int(CURL_WRITEFUNC_ERROR)
  }

  private func receiveHead(_ line: UnsafeRawBufferPointer) -> Int {
    lastActivity = MonotonicClock.now()
    if isCancelled { return stop(nil) }
    if let problem = head.append(line, limits: request.limits) { return stop(problem) }
    if head.isComplete, head.httpVersion.hasPrefix("HTTP/2") { engine?.noteMultiplexed(origin) }
    return line.count
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastActivity = MonotonicClock.now()
    if isCancelled { return stop(nil) }
    if streams, let mailbox, mailbox.isFull() {
      isPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    let isFirst = receivedBytes == 0
    receivedBytes += bytes.count
    if (300..<400).contains(head.status), receivedBytes > request.limits.redirectBodyBytes {
      isCut = true
      return stop(nil)
    }
    if let problem = excess() { return stop(problem) }
    if isFirst, !streams, let length = head.announcedLength, !head.isEncoded {
      // The announcement is a hint, not a promise: a hostile one must not cost memory.
      body.reserve(min(length, request.limits.decodedBytes, 16 << 20))
    }
    body.append(bytes)
    if mailbox != nil { noteNews() }
    return bytes.count
  }

  /// Which limit the body has passed, if any.
  private func excess() -> RequestError.Kind? {
    let limits = request.limits
    if receivedBytes > limits.decodedBytes {
      return .tooLarge(.decodedBytes, allowed: limits.decodedBytes)
    }
    let onWire = head.isEncoded ? wireBytes : receivedBytes
    if onWire > limits.wireBytes { return .tooLarge(.wireBytes, allowed: limits.wireBytes) }
    if head.isEncoded, receivedBytes > limits.decompressionFloor,
      receivedBytes / max(1, onWire) > limits.decompressionRatio
    {
      return .tooLarge(.decompressionRatio, allowed: limits.decompressionRatio)
    }
    return nil
  }

  /// Body bytes as they travelled.
  var wireBytes: Int {
    guard let handle else { return 0 }
    return Int(ccurl_get_off(handle.easy, CURLINFO_SIZE_DOWNLOAD_T))
  }

  private func noteNews() {
    if streams, body.count >= 256 << 10 { mailbox?.put(body.finish()) }
    engine?.noteNews(self)
  }

  private func provide(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    lastActivity = MonotonicClock.now()
    if isCancelled { return Int(CURL_READFUNC_ABORT) }
    do throws(RequestError) {
      let count = try upload?.read(into: buffer) ?? 0
      sentBytes += count
      bodySent = lastActivity
      if mailbox != nil { engine?.noteNews(self) }
      return count
    } catch {
      failure = error.kind
      return Int(CURL_READFUNC_ABORT)
    }
  }

  private func rewind(_ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    do throws(RequestError) {
      try upload?.rewind()
      sentBytes = 0
      return CURL_SEEKFUNC_OK
    } catch {
      failure = error.kind
      return CURL_SEEKFUNC_FAIL
    }
  }

  /// Called when a connection is there and nothing was sent on it yet. libcurl repeats a request by
  /// itself when a connection it used again turns out to be dead; whether that is safe is for the
  /// retry policy to say, so the second time ends the exchange.
  private func beginOnConnection() -> Int32 {
    if hasConnection {
      failure = .connectionLost(bytesReceived: 0, reused: true)
      return CURL_PREREQFUNC_ABORT
    }
    hasConnection = true
    lastActivity = MonotonicClock.now()
    engine?.noteConnected(origin)
    return CURL_PREREQFUNC_OK
  }
}
