/// Serves the requests of one connection in order, on its thread.
struct LoopbackConnection {
  private let stream: LoopbackStream
  private let number: Int
  private let script: LoopbackScript
  private var input: LoopbackInput
  private var scratch: [UInt8] = []
  /// A response that was removed from the script at a moment before its request was known.
  private var carried: LoopbackResponse?

  init(
    _ stream: LoopbackStream, number: Int, script: LoopbackScript, carried: LoopbackResponse?
  ) {
    self.stream = stream
    self.number = number
    self.script = script
    self.carried = carried
    input = LoopbackInput(stream)
  }

  /// Responds to requests until the connection ends.
  mutating func serve() {
    var index = 0
    while serveOne(index) { index += 1 }
  }

  /// Responds to one request; returns false after the last.
  private mutating func serveOne(_ index: Int) -> Bool {
    var request: LoopbackRequest
    do throws(LoopbackInput.Failure) {
      request = LoopbackRequest(head: try input.head(), connection: number, index: index)
      request.hasClientCertificate = stream.session?.hasClientCertificate ?? false
    } catch {
      if error == .headTooLarge { _ = refuse(431, "the head is larger than a megabyte") }
      return false
    }
    if let problem = request.framing.problem {
      script.record(request)
      return refuse(400, problem)
    }

    carried = carried ?? script.dequeue(boundTo: .requestHeadRead)
    if let carried {
      if carried.fault?.ending?.1 == .requestHeadRead { script.record(request) }
      guard perform(LoopbackPlan.moment(.requestHeadRead, of: carried)) else { return false }
    }
    if carried?.isEarly != true {
      do throws(LoopbackInput.Failure) {
        try readBody(of: &request)
      } catch {
        script.record(request)
        return error == .badChunk ? refuse(400, "a chunk of the body has no valid size") : false
      }
    }

    let isKnownEarlier = carried != nil
    let response = script.response(to: request, carried: carried)
    carried = nil
    guard response.isPlain || performBefore(response, isKnownEarlier: isKnownEarlier) else {
      return false
    }
    return send(response, to: request)
  }

  /// Reads the body that the head declares, after `100 Continue` if the client waits for that.
  private mutating func readBody(of request: inout LoopbackRequest) throws(LoopbackInput.Failure) {
    let framing = request.framing
    if framing.isChunked || framing.contentLength > 0 {
      if framing.expectsContinue, !input.hasBytes {
        guard stream.write(Self.goOn[...]) else { throw .ended }
      }
      if framing.isChunked {
        try input.chunkedBody(keeping: script.bodyLimit, into: &request.body)
      } else {
        try input.body(framing.contentLength, keeping: script.bodyLimit, into: &request.body)
      }
    }
    request.isComplete = true
  }

  /// Carries out the moments up to ``LoopbackMoment/requestRead``, including those before a handler responded.
  private func performBefore(_ response: LoopbackResponse, isKnownEarlier: Bool) -> Bool {
    let missed: [LoopbackMoment] = isKnownEarlier ? [] : [.accepted, .requestHeadRead]
    return perform((missed + [.requestRead]).flatMap { LoopbackPlan.moment($0, of: response) })
  }

  private mutating func send(_ response: LoopbackResponse, to request: LoopbackRequest) -> Bool {
    let framing = request.framing
    if response.isPlain, !framing.closes, let wire = response.prebuiltWire {
      let count = framing.isHead ? wire.headCount : wire.bytes.count
      return stream.write(wire.bytes[..<count])
    }
    let message = LoopbackMessage(response, toHead: framing.isHead, closing: framing.closes)
    if response.isPlain, case .bytes(let body) = message.body {
      scratch.removeAll(keepingCapacity: true)
      message.appendHead(to: &scratch)
      let isSent = scratch.withUnsafeBytes { head in
        body.withUnsafeBytes { stream.write(head, $0) }
      }
      guard isSent else { return false }
    } else {
      guard perform(LoopbackPlan.steps(message)) else { return false }
    }
    if message.closes { stream.finish() }
    return !message.closes
  }

  /// Carries out steps in order; returns false when the connection is over.
  private func perform(_ steps: [LoopbackStep]) -> Bool {
    for step in steps {
      let goesOn =
        switch step {
        case .send(let span): span.forEachPiece(stream.write)
        case .trickle(let span, let bytes, let pause):
          span.forEachPiece(atMost: bytes) { stream.pause(pause) && stream.write($0) }
        case .flood(let bytes): flood(bytes)
        case .wait(let gate): stream.wait(for: gate)
        case .awaitReuse: stream.waitForInput()
        case .end(let ending): end(ending)
        }
      guard goesOn else { return false }
    }
    return true
  }

  private func flood(_ bytes: [UInt8]) -> Bool {
    let block = Array(repeatElement(bytes, count: max(1, 16384 / bytes.count)).joined())
    while stream.write(block[...]) {}
    return false
  }

  private func end(_ ending: LoopbackFault.Ending) -> Bool {
    stream.end(ending)
    return false
  }

  private func refuse(_ status: Int, _ problem: String) -> Bool {
    var response = LoopbackResponse.text("LoopbackServer cannot read the request: \(problem)\n")
    response.status = status
    if perform(LoopbackPlan.steps(LoopbackMessage(response, closing: true))) { stream.finish() }
    return false
  }

  private static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}
