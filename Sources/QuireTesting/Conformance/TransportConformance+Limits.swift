internal import ServerAPI

extension TransportConformance {
  static let limitCases: [Case] = [
    Case("too many header lines are too large") { probe in
      let exchange = try await probe.exchange { $0.headers = Self.fields(40, bytes: 1) }
      let request = probe.request(exchange) { $0.limits.headerCount = 30 }
      try await probe.expectTooLarge(request, .headerCount, 30)
    },
    Case("too many header bytes are too large") { probe in
      let exchange = try await probe.exchange { $0.headers = Self.fields(20, bytes: 1_000) }
      let request = probe.request(exchange) { $0.limits.headerBytes = 10_000 }
      try await probe.expectTooLarge(request, .headerBytes, 10_000)
    },
    Case("a body past the wire limit is too large, with or without a declared length") { probe in
      for isChunked in [false, true] {
        let exchange = try await probe.exchange {
          $0.body = .bytes([UInt8](repeating: 1, count: 100_000))
          $0.isChunked = isChunked
        }
        let request = probe.request(exchange) { $0.limits.wireBytes = 50_000 }
        try await probe.expectTooLarge(request, .wireBytes, 50_000)
      }
    },
    Case("a body past the decoded limit is too large") { probe in
      let exchange = try await probe.exchange { $0.body = .gzippedZeros(3_000_000) }
      let request = probe.request(exchange) { $0.limits.decodedBytes = 1_000_000 }
      try await probe.expectTooLarge(request, .decodedBytes, 1_000_000)
    },
    Case("a compression bomb is found by its ratio") { probe in
      let exchange = try await probe.exchange { $0.body = .gzippedZeros(3_000_000) }
      let request = probe.request(exchange) {
        $0.limits.decompressionRatio = 100
        $0.limits.decompressionFloor = 1_000_000
      }
      try await probe.expectTooLarge(request, .decompressionRatio, 100)
    },
    Case("a response exactly at the limit passes") { probe in
      let exchange = try await probe.exchange {
        $0.body = .bytes([UInt8](repeating: 1, count: 10_000))
      }
      let request = probe.request(exchange) {
        $0.limits.wireBytes = 10_000
        $0.limits.decodedBytes = 10_000
      }
      try probe.expect("bytes", try await probe.transport.send(request).body.count, 10_000)
    },
    Case("limits also apply to the body of an error status") { probe in
      let exchange = try await probe.exchange {
        $0.status = 500
        $0.body = .bytes([UInt8](repeating: 1, count: 10_000))
      }
      let request = probe.request(exchange) { $0.limits.decodedBytes = 9_999 }
      try await probe.expectFailure(of: request, "tooLarge") { kind in
        if case .tooLarge = kind { true } else { false }
      }
    },
    Case("a redirect body is read only up to its own limit") { probe in
      let exchange = try await probe.exchange {
        $0.status = 302
        $0.headers = ["Location": "/next"]
        $0.body = .bytes([UInt8](repeating: 1, count: 300_000))
      }
      let request = probe.request(exchange) { $0.limits.redirectBodyBytes = 1_000 }
      let response = try await probe.transport.send(request)
      try probe.expect("status", response.status, 302)
      try probe.check(response.body.count <= 1_000, "\(response.body.count) bytes were kept")
    },
  ]

  private static func fields(_ count: Int, bytes: Int) -> HTTPHeaders {
    HTTPHeaders(
      (0..<count).map { .init(name: "X-\($0)", value: String(repeating: "v", count: bytes)) })
  }
}

extension ConformanceProbe {
  func expectTooLarge(
    _ request: HTTPRequest, _ limit: RequestError.LimitKind, _ allowed: Int
  ) async throws {
    let expected = RequestError.Kind.tooLarge(limit, allowed: allowed)
    try await expectFailure(of: request, "\(expected)") { $0 == expected }
  }
}
