#if LIBCURL
  internal import CCurl

  /// The callbacks of libcurl. No Swift error may pass through its frames: a callback records a failure in the
  /// transfer and makes libcurl stop.
  extension CurlTransfer {
    /// Installs the functions, which are the same for every transfer; ``attach(to:)`` sets their argument.
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
      ccurl_set_socket_callback(easy) { _, _, address in
        guard let address = address?.pointee else { return -1 }
        // A program that this process starts must not keep it open.
        return ccurl_open_socket(address.family, address.socktype, address.protocol)
      }
      ccurl_set_prereq_callback(easy) { context, far, near, farPort, nearPort in
        CurlTransfer.of(context).didConnect(
          ConnectionName(
            near: ConnectionName.End(port: nearPort, text: near),
            far: ConnectionName.End(port: farPort, text: far)))
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

    /// Returns the transfer of a callback. The loop retains it as long as its handle may call back.
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
        engine?.didConnect(to: origin, multiplexed: true)
      }
      if let failure = prematureSuccess ?? announcedExcess { return stop(failure) }
      return line.count
    }

    /// The error for a successful response that arrived before the server had received the request. On a reused
    /// connection, nobody has requested such a response.
    private var prematureSuccess: RequestError.Kind? {
      guard let reusedSocket, (200..<300).contains(head.status),
        sentBytes == request.body?.length ?? 0, reusedSocket.hasUnreceivedBytes
      else { return nil }
      return .connectionLost(bytesReceived: 0, reused: true)
    }

    /// The limit that the announced body will exceed, if any.
    private var announcedExcess: RequestError.Kind? {
      guard let length = head.announcedLength, request.method != .head,
        (200..<300).contains(head.status), head.status != 204
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
        isTruncated = true
        return stop(nil)
      }
      if isLongError(onWire) { return stop(nil) }
      if onWire > request.limits.wireBytes {
        return stop(.tooLarge(.wireBytes, allowed: request.limits.wireBytes))
      }
      // After a pause, libcurl passes the same bytes again.
      var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(consumedOfChunk))
      repeat {
        if streams, let mailbox, mailbox.isFull() {
          consumedOfChunk = bytes.count - rest.count
          isPaused = true
          return Int(CURL_WRITEFUNC_PAUSE)
        }
        if let problem = decode(&rest) ?? excess(onWire: onWire) { return stop(problem) }
        if isLongError(receivedBytes) { return stop(nil) }
        if mailbox != nil { deliverPiece() }
      } while !rest.isEmpty || decoder?.hasMore == true
      consumedOfChunk = 0
      wireBytes = onWire
      return bytes.count
    }

    /// Whether the body is that of an error and longer than wanted. The rest is not read.
    private func isLongError(_ count: Int) -> Bool {
      guard head.status >= 400, count > request.limits.errorBodyBytes else { return false }
      isTruncated = true
      return true
    }

    /// The size at which a piece of a streamed body is delivered.
    private static let pieceBytes = 256 << 10

    private func prepareForBody() -> RequestError.Kind? {
      hasBody = true
      if let coding = head.coding, request.headers["Accept-Encoding"] == nil {
        guard let decoder = BodyDecoder(coding) else {
          return .undecodable(
            "the body has the coding “\(coding.prefix(40))”, which was not requested")
        }
        self.decoder = decoder
      } else if !streams, let length = head.announcedLength {
        // The announced length is only a hint: a hostile one must not cost memory.
        body.reserve(min(length, request.limits.decodedBytes, 16 << 20))
      }
      return nil
    }

    /// Appends all bytes of a plain body, or one step of decoded output.
    private func decode(_ rest: inout UnsafeRawBufferPointer) -> RequestError.Kind? {
      let before = body.count
      // The capacity of a piece is reserved at once: growing step by step would copy it twice.
      if streams, before == 0 {
        body.reserve(min(head.announcedLength ?? .max, Self.pieceBytes + BodyDecoder.step))
      }
      defer { receivedBytes += body.count - before }
      if let decoder { return decoder.decode(&rest, into: body) }
      body.append(rest)
      rest = UnsafeRawBufferPointer(start: nil, count: 0)
      return nil
    }

    /// Returns the limit that the decoded body exceeds, if any.
    private func excess(onWire: Int) -> RequestError.Kind? {
      let limits = request.limits
      if receivedBytes > limits.decodedBytes {
        return .tooLarge(.decodedBytes, allowed: limits.decodedBytes)
      }
      if let share, !streams, !share.grow(to: receivedBytes) {
        return .tooLarge(.memory, allowed: share.total)
      }
      if decoder != nil, receivedBytes > limits.decompressionFloor,
        receivedBytes / max(1, onWire) > limits.decompressionRatio
      {
        return .tooLarge(.decompressionRatio, allowed: limits.decompressionRatio)
      }
      return nil
    }

    private func deliverPiece() {
      if streams, body.count >= Self.pieceBytes { mailbox?.put(body.finish()) }
      engine?.markUpdated(self)
    }

    private func provide(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      lastActivity = MonotonicClock.now()
      if isCancelled { return Int(CURL_READFUNC_ABORT) }
      if isCompleteSuccess {
        failure = prematureFailure
        return Int(CURL_READFUNC_ABORT)
      }
      do throws(RequestError) {
        let count = try upload?.read(into: buffer) ?? 0
        sentBytes += count
        bodySent = lastActivity
        if mailbox != nil { engine?.markUpdated(self) }
        return count
      } catch {
        failure = error.kind
        return Int(CURL_READFUNC_ABORT)
      }
    }

    /// The failure of a successful response to a request that was not sent to its end. It may be meant for another one.
    var prematureFailure: RequestError.Kind {
      reusedSocket == nil
        ? .protocolViolation("the response was complete before the request was sent")
        : .connectionLost(bytesReceived: 0, reused: true)
    }

    /// Whether a successful response has arrived to its announced end.
    private var isCompleteSuccess: Bool {
      head.isComplete && (200..<300).contains(head.status)
        && (head.announcedLength.map { wireBytes >= $0 } ?? (head.status == 204))
    }

    private func rewind(_ offset: curl_off_t, _ origin: Int32) -> Int32 {
      guard offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
      upload?.rewind()
      sentBytes = 0
      return CURL_SEEKFUNC_OK
    }

    /// Called when there is a connection and before anything is sent on it. libcurl repeats a request itself if
    /// a reused connection turns out to be closed. Only the retry policy may decide whether that is safe, so the
    /// second connection ends the exchange.
    private func didConnect(_ name: ConnectionName) -> Int32 {
      connection = name
      reusedSocket = engine?.takeConnection(name)
      if hasConnection || reusedSocket?.hasUnreadBytes == true {
        failure = .connectionLost(bytesReceived: 0, reused: true)
        return CURL_PREREQFUNC_ABORT
      }
      hasConnection = true
      lastActivity = MonotonicClock.now()
      engine?.didConnect(to: origin, multiplexed: false)
      return CURL_PREREQFUNC_OK
    }
  }
#endif
