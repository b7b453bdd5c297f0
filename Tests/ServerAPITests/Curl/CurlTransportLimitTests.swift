#if LIBCURL
  import QuireTesting
  import ServerAPI
  import Testing

  @Suite(.timeLimit(.minutes(1))) struct CurlTransportLimitTests {
    let transport = CurlTransport()

    func failure(
      _ response: LoopbackResponse, _ change: (inout HTTPRequest.Limits) -> Void
    ) async throws -> RequestError.Kind? {
      let server = try LoopbackServer { _ in response }
      var request = HTTPRequest(.get, try server.url())
      change(&request.limits)
      return await transport.failure(request)
    }

    @Test func `a body with too large an announced length is rejected before it is read`()
      async throws
    {
      #expect(
        try await failure(.filler(count: 10_000_000)) { $0.wireBytes = 1_000 }
          == .tooLarge(.wireBytes, allowed: 1_000))
    }

    @Test func `a body without an announced length is stopped at the limit`() async throws {
      #expect(
        try await failure(.filler(count: 10_000_000).chunked(of: 4_096)) { $0.wireBytes = 100_000 }
          == .tooLarge(.wireBytes, allowed: 100_000))
      #expect(
        try await failure(.filler(count: 10_000_000).untilClose()) { $0.decodedBytes = 100_000 }
          == .tooLarge(.decodedBytes, allowed: 100_000))
    }

    @Test func `a body of exactly the allowed size is accepted`() async throws {
      #expect(
        try await failure(.filler(count: 4_096)) {
          $0.wireBytes = 4_096
          $0.decodedBytes = 4_096
        } == nil)
      #expect(
        try await failure(.filler(count: 4_097)) { $0.decodedBytes = 4_096 }
          == .tooLarge(.decodedBytes, allowed: 4_096))
    }

    @Test func `a small body that decodes to gigabytes is stopped within one step`() async throws {
      let bomb = LoopbackResponse.bomb(decodedBytes: 1 << 30)
      #expect(
        try await failure(bomb) { _ in } == .tooLarge(.decompressionRatio, allowed: 200))
      #expect(
        try await failure(bomb) { $0.decompressionRatio = .max }
          == .tooLarge(.decodedBytes, allowed: 64 << 20))
    }

    @Test func `a redirect with a large body is returned without reading all of it`()
      async throws
    {
      let server = try LoopbackServer { _ in
        var response = LoopbackResponse.filler(count: 50_000_000)
        response.status = 302
        return response.with("Location", "/next")
      }
      let response = try await transport.send(
        HTTPRequest(.get, server.url()).with { $0.limits.wireBytes = 1 << 30 })
      #expect(response.status == 302)
      #expect(response.headers["Location"] == "/next")
      #expect(response.body.count <= 64 << 10)
    }
  }
#endif
