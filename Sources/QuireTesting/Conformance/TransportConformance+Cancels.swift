internal import ServerAPI

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
