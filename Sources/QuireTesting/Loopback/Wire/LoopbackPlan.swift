/// A step of a connection for a response that is more than a head and a body.
enum LoopbackStep: Sendable {
  /// Sends these bytes.
  case send(LoopbackSpan)
  /// Sends these bytes in pieces, with a pause before each.
  case trickle(LoopbackSpan, bytes: Int, every: Duration)
  /// Sends these bytes repeatedly until the connection ends.
  case flood([UInt8])
  /// Waits until the gate opens.
  case wait(LoopbackGate)
  /// Waits until the next request starts, and leaves it unread.
  case awaitReuse
  /// Ends the connection, or its use.
  case end(LoopbackFault.Ending)
}

/// Turns a response into steps, with each fault and gate at its moment.
enum LoopbackPlan {
  /// Returns the steps from ``LoopbackMoment/requestRead`` on; earlier ones are done.
  static func steps(_ message: LoopbackMessage) -> [LoopbackStep] {
    let response = message.response
    var steps = response.interim.map { interim in
      LoopbackStep.send(.bytes(LoopbackMessage.interimHead(interim)[...]))
    }
    switch response.fault {
    case .interimStorm:
      let hint = LoopbackResponse(
        status: 103, headers: [LoopbackHeader("Link", "</style.css>; rel=preload")])
      return steps + [.flood(LoopbackMessage.interimHead(hint))]
    case .endlessHeaders:
      let line = Array("X-Flood: \(String(repeating: "f", count: 100))\r\n".utf8)
      return steps + [.send(.bytes(message.openHead[...])), .flood(line)]
    default: break
    }

    var head: [UInt8] = []
    message.appendHead(to: &head)
    if response.isBound(to: .headStarted) {
      let half = head.count / 2
      steps.append(send(.bytes(head[..<half]), slow: response.fault, isHead: true))
      steps += moment(.headStarted, of: response)
      steps.append(send(.bytes(head[half...]), slow: response.fault, isHead: true))
    } else {
      steps.append(send(.bytes(head[...]), slow: response.fault, isHead: true))
    }
    steps += moment(.headSent, of: response)

    var sent = 0
    for cut in cuts(in: response) {
      steps.append(send(message.body.part(sent..<max(sent, cut)), slow: response.fault))
      steps += moment(.bodySent(cut), of: response)
      sent = max(sent, cut)
    }
    steps.append(send(message.body.part(sent..<Int.max), slow: response.fault))
    steps += moment(.responseSent, of: response)
    if response.isBound(to: .reused) { steps.append(.awaitReuse) }
    steps += moment(.reused, of: response)
    return steps.filter { step in
      switch step {
      case .send(let span), .trickle(let span, _, _): !span.isEmpty
      default: true
      }
    }
  }

  private static func send(
    _ span: LoopbackSpan, slow fault: LoopbackFault?, isHead: Bool = false
  ) -> LoopbackStep {
    switch fault {
    case .slowHead(let bytes, let pause) where isHead:
      .trickle(span, bytes: max(1, bytes), every: pause)
    case .slowBody(let bytes, let pause) where !isHead:
      .trickle(span, bytes: max(1, bytes), every: pause)
    default: .send(span)
    }
  }

  /// Returns the steps of a moment: gates first, so that a test can wait for the moment before the fault.
  static func moment(_ moment: LoopbackMoment, of response: LoopbackResponse) -> [LoopbackStep] {
    var steps = response.holds.filter { $0.moment == moment }.map { LoopbackStep.wait($0.gate) }
    if let (ending, at) = response.fault?.ending, at == moment { steps.append(.end(ending)) }
    return steps
  }

  private static func cuts(in response: LoopbackResponse) -> [Int] {
    let moments = response.holds.map(\.moment) + [response.fault?.ending?.1].compactMap(\.self)
    let positions = moments.compactMap { moment -> Int? in
      if case .bodySent(let count) = moment { count } else { nil }
    }
    return Set(positions).sorted()
  }
}
