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
    guard head.isComplete else { return line.count }
    if head.httpVersion.hasPrefix("HTTP/2") {
      engine?.noteConnection(to: origin, multiplexed: true)
    }
    if let problem = announcedExcess { return stop(problem) }
    return line.count
  }

  /// Which limit the body will pass by its own announcement, where one follows that is wanted.
  private var announcedExcess: RequestError.Kind? {
    guard let length = head.announcedLength, request.method != .head,
      (200..<300).contains(head.status) || head.status >= 400, head.status != 204
    else { return nil }
    let limits = request.limits
    if length > limits.wireBytes { return .tooLarge(.wireBytes, allowed: limits.wireBytes) }
    return head.coding == nil && length > limits.decodedBytes
      ? .tooLarge(.decodedBytes, allowed: limits.decodedBytes) : nil
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastActivity = MonotonicClock.now()
    if isCancelled { return stop(nil) }
    if !hasBody, let problem = prepareForBody() { return stop(problem) }
    let onWire = wireBytes + bytes.count
    if (300..<400).contains(head.status), onWire > request.limits.redirectBodyBytes {
      isCut = true
      return stop(nil)
    }
    if onWire > request.limits.wireBytes {
      return stop(.tooLarge(.wireBytes, allowed: request.limits.wireBytes))
    }
    // After a pause libcurl hands in the same bytes again.
    var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(takenOfChunk))
    repeat {
      if streams, let mailbox, mailbox.isFull() {
        takenOfChunk = bytes.count - rest.count
        isPaused = true
        return Int(CURL_WRITEFUNC_PAUSE)
      }
      if let problem = take(&rest) ?? excess(onWire: onWire) { return stop(problem) }
      if mailbox != nil { noteNews() }
    } while !rest.isEmpty || decoder?.hasMore == true
    takenOfChunk = 0
    wireBytes = onWire
    return bytes.count
  }

  /// From which size on a piece of a streamed body is handed over while more comes in.
  private static let pieceBytes = 256 << 10

  private func prepareForBody() -> RequestError.Kind? {
    hasBody = true
    if let coding = head.coding, request.headers["Accept-Encoding"] == nil {
      guard let decoder = BodyDecoder(coding) else {
        return .undecodable(
          "the body is in the coding “\(coding.prefix(40))”, which was not offered")
      }
      self.decoder = decoder
    } else if !streams, let length = head.announcedLength {
      // The announcement is a hint, not a promise: a hostile one must not cost memory.
      body.reserve(min(length, request.limits.decodedBytes, 16 << 20))
    }
    return nil
  }

  /// Takes all there is of a plain body, or as much of a coded one as makes a piece of output.
  private func take(_ rest: inout UnsafeRawBufferPointer) -> RequestError.Kind? {
    let before = body.count
    // A piece gets its room at once: growing step by step would copy it twice over.
    if streams, before == 0 {
      body.reserve(min(head.announcedLength ?? .max, Self.pieceBytes + BodyDecoder.step))
    }
    defer { receivedBytes += body.count - before }
    if let decoder { return decoder.decode(&rest, into: body) }
    body.append(rest)
    rest = UnsafeRawBufferPointer(start: nil, count: 0)
    return nil
  }

  /// Which limit the decoded body has passed, if any.
  private func excess(onWire: Int) -> RequestError.Kind? {
    let limits = request.limits
    if receivedBytes > limits.decodedBytes {
      return .tooLarge(.decodedBytes, allowed: limits.decodedBytes)
    }
    if decoder != nil, receivedBytes > limits.decompressionFloor,
      receivedBytes / max(1, onWire) > limits.decompressionRatio
    {
      return .tooLarge(.decompressionRatio, allowed: limits.decompressionRatio)
    }
    return nil
  }

  private func noteNews() {
    if streams, body.count >= Self.pieceBytes { mailbox?.put(body.finish()) }
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
    upload?.rewind()
    sentBytes = 0
    return CURL_SEEKFUNC_OK
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
    engine?.noteConnection(to: origin, multiplexed: false)
    return CURL_PREREQFUNC_OK
  }
}
