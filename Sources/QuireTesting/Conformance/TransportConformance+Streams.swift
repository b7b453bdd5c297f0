internal import ServerAPI
internal import Support

extension TransportConformance {
  static let streamCases: [Case] = [
    Case("a receiver gets every piece in order, one at a time") { probe in
      let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
      for isChunked in [false, true] {
        let exchange = try await probe.exchange {
          $0.body = .bytes(bytes)
          $0.isChunked = isChunked
        }
        let intake = Intake()
        let response = try await probe.transport.send(
          probe.request(exchange) { $0.receiver = { try await intake.receive($0) } })
        try probe.expectBytes("pieces", intake.bytes, bytes)
        try probe.check(!intake.overlapped, "a piece arrived while another was being received")
        try probe.expect("bytes in the response", response.body.count, 0)
        try probe.expect("decoded bytes", response.timings.decodedBytes, bytes.count)
      }
    },
    Case("a receiver that throws ends the call with its error") { probe in
      let exchange = try await probe.exchange { $0.fate = .stalled(afterBytes: 2) }
      let request = probe.request(exchange) { $0.receiver = { _ in throw BrokenPromise.full } }
      try await probe.expectFailure(of: request, "receiverFailed") { kind in
        guard case .receiverFailed(let text) = kind else { return false }
        return text.contains("disk full")
      }
    },
    Case("the body of an error status goes into the response, not to the receiver") { probe in
      let exchange = try await probe.exchange { $0.status = 404 }
      let intake = Intake()
      let response = try await probe.transport.send(
        probe.request(exchange) { $0.receiver = { try await intake.receive($0) } })
      try probe.expect("body", response.body.utf8Text, "hello")
      try probe.expect("bytes at the receiver", intake.bytes.count, 0)
    },
    Case("a receiver gets at most one piece past the limit") { probe in
      let exchange = try await probe.exchange {
        $0.body = .bytes([UInt8](repeating: 1, count: 2_000_000))
        $0.isChunked = true
      }
      let intake = Intake()
      let request = probe.request(exchange) {
        $0.limits.decodedBytes = 50_000
        $0.receiver = { try await intake.receive($0) }
      }
      try await probe.expectTooLarge(request, .decodedBytes, 50_000)
      try probe.check(intake.bytes.count <= 400_000, "the receiver got \(intake.bytes.count) bytes")
    },
    Case("progress never goes backwards and ends complete") { probe in
      let exchange = try await probe.exchange {
        $0.body = .bytes([UInt8](repeating: 1, count: 500_000))
      }
      let reported = Lock<[HTTPRequest.Progress]>([])
      _ = try await probe.transport.send(
        probe.request(exchange, .post) {
          $0.body = .bytes([UInt8](repeating: 2, count: 300_000))
          $0.progress = { progress in reported.withLock { $0.append(progress) } }
        })
      let steps = reported.withLock { $0 }
      let goesOn = zip(steps, steps.dropFirst()).allSatisfy {
        $0.sent <= $1.sent && $0.received <= $1.received
      }
      try probe.check(goesOn, "progress went backwards: \(steps)")
      try probe.expect(
        "the last progress", steps.last,
        HTTPRequest.Progress(sent: 300_000, toSend: 300_000, received: 500_000, toReceive: 500_000))
    },
  ]
}

extension BrokenPromise {
  fileprivate static let full = BrokenPromise(reason: "disk full")
}

/// A receiver that records its pieces, and whether it is called while it works.
private final class Intake: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isBusy = false
    var overlapped = false
  }

  private let state = Lock(State())

  var bytes: [UInt8] { state.withLock(\.bytes) }
  var overlapped: Bool { state.withLock(\.overlapped) }

  @concurrent func receive(_ piece: ResponseBody) async throws {
    state.withLock { state in
      state.overlapped = state.overlapped || state.isBusy
      state.isBusy = true
    }
    await pause()
    state.withLock { state in
      piece.withUnsafeBytes { state.bytes.append(contentsOf: $0) }
      state.isBusy = false
    }
  }

  /// Gives another piece the chance to arrive too early.
  private func pause() async {
    await Task.detached {}.value
  }
}
