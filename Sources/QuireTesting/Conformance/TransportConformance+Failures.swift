internal import ServerAPI

extension TransportConformance {
  static let failureCases: [Case] = [
    Case("a body that is cut off is a lost connection") { probe in
      let exchange = try await probe.exchange {
        $0.body = .bytes([UInt8](repeating: 1, count: 1_000))
        $0.fate = .cut(afterBytes: 400)
      }
      try await probe.expectFailure(of: probe.request(exchange), "connectionLost") { kind in
        if case .connectionLost(400..., _) = kind { true } else { false }
      }
    },
    Case("a chunked body that is cut off is a lost connection") { probe in
      let exchange = try await probe.exchange {
        $0.body = .bytes([UInt8](repeating: 1, count: 1_000))
        $0.isChunked = true
        $0.fate = .cut(afterBytes: 400)
      }
      try await probe.expectFailure(of: probe.request(exchange), "connectionLost") { kind in
        if case .connectionLost = kind { true } else { false }
      }
    },
    Case("a port without a listener refuses the connection") { probe in
      let exchange = try await probe.exchange { $0.fate = .refused }
      try await probe.expectFailure(of: probe.request(exchange), "connectRefused") {
        $0 == .connectRefused
      }
    },
    Case("a silent server hits the idle timeout") { probe in
      let exchange = try await probe.exchange { $0.fate = .silent }
      let request = probe.request(exchange) { $0.timeouts.idle = .milliseconds(200) }
      try await probe.expectTimeout(request, .idle)
    },
    Case("a stalled body hits the idle timeout") { probe in
      let exchange = try await probe.exchange { $0.fate = .stalled(afterBytes: 2) }
      let request = probe.request(exchange) { $0.timeouts.idle = .milliseconds(200) }
      try await probe.expectTimeout(request, .idle)
    },
    Case("a slow exchange hits the total timeout") { probe in
      for fate in [ConformanceResponse.Fate.silent, .stalled(afterBytes: 2)] {
        let exchange = try await probe.exchange { $0.fate = fate }
        let request = probe.request(exchange) { $0.timeouts.total = .milliseconds(200) }
        try await probe.expectTimeout(request, .total)
      }
    },
    Case("an error contains no secret of the request") { probe in
      let exchange = try await probe.exchange { $0.fate = .cut(afterBytes: 1) }
      let url = try exchange.url.resolving("?token=S3CRET")
      var request = HTTPRequest(.post, url, headers: ["Authorization": "S3CRET"])
      request.body = .text("S3CRET")
      do throws(RequestError) {
        _ = try await probe.transport.send(request)
      } catch {
        try probe.check(!"\(error)".contains("S3CRET"), "the error contains S3CRET")
      }
    },
  ]
}

extension ConformanceProbe {
  /// Expects a timeout, and not too early. One that never happens is found by the patience of the run; a late
  /// one says more about the machine than about the transport.
  func expectTimeout(_ request: HTTPRequest, _ phase: RequestError.Phase) async throws {
    let before = TimeSource.system.now()
    try await expectFailure(of: request, "timeout(\(phase))") { $0 == .timeout(phase) }
    let elapsed = TimeSource.system.now() - before
    try check(elapsed >= .milliseconds(190), "the timeout came after \(elapsed)")
  }
}

extension TransportConformance {
  static let cancelCases: [Case] = [
    Case("a call cancelled before it starts sends nothing") { probe in
      let exchange = try await probe.exchange()
      let request = probe.request(exchange)
      let call = Task { [transport = probe.transport] in
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(RequestError) {
          return Result<HTTPResponse, RequestError>.success(try await transport.send(request))
        } catch {
          return .failure(error)
        }
      }
      try await probe.expectCancelled(call)
      try probe.expect("requests that arrived", try exchange.requests().count, 0)
    },
    Case("a call cancelled while the server is silent ends at once") { probe in
      let exchange = try await probe.exchange { $0.fate = .silent }
      let call = probe.start(probe.request(exchange))
      try await exchange.arrival()
      call.cancel()
      try await probe.expectCancelled(call)
    },
    Case("a call cancelled during its body ends at once") { probe in
      let exchange = try await probe.exchange { $0.fate = .stalled(afterBytes: 2) }
      let received = Gate()
      received.open()
      let call = probe.start(
        probe.request(exchange) { $0.receiver = { _ in try await received.pass() } })
      await received.reached()
      call.cancel()
      try await probe.expectCancelled(call)
    },
    Case("a call cancelled while its receiver works ends at once") { probe in
      let exchange = try await probe.exchange()
      let receiver = Gate()
      let call = probe.start(
        probe.request(exchange) { $0.receiver = { _ in try await receiver.pass() } })
      await receiver.reached()
      call.cancel()
      try await probe.expectCancelled(call)
    },
    Case("a call cancelled while its response arrives either succeeds or is cancelled") { probe in
      let exchange = try await probe.exchange { $0.body = .echo }
      for round in 0..<50 {
        let request = HTTPRequest(.get, try exchange.url.resolving("?n=\(round)"))
        let call = probe.start(request)
        if round % 2 == 0 { try? await exchange.arrival() }
        call.cancel()
        switch await call.value {
        case .success(let response):
          try probe.expect("body", response.body.utf8Text, request.url.target)
        case .failure(let error):
          try probe.expect("error", error.kind, .cancelled(.byCaller))
        }
      }
    },
    Case("a cancelled call affects neither the transport nor other calls") { probe in
      let silent = try await probe.exchange { $0.fate = .silent }
      let (doomed, other) = (
        probe.start(probe.request(silent)), probe.start(probe.request(silent))
      )
      try await silent.arrival()
      doomed.cancel()
      try await probe.expectCancelled(doomed)
      try probe.check(!other.isCancelled, "the other call was cancelled")
      let exchange = try await probe.exchange()
      let response = try await probe.transport.send(probe.request(exchange))
      try probe.expect("body", response.body.utf8Text, "hello")
      other.cancel()
      try await probe.expectCancelled(other)
    },
  ]
}
