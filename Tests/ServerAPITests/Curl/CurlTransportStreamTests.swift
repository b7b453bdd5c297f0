#if LIBCURL
  import QuireTesting
  import ServerAPI
  import Support
  import Testing

  @Suite(.timeLimit(.minutes(1))) struct CurlTransportStreamTests {
    let transport = CurlTransport()

    func request(
      _ server: LoopbackServer,
      receiver: @escaping @Sendable (_ piece: ResponseBody) async throws -> Void
    ) throws -> HTTPRequest {
      HTTPRequest(.get, try server.url(), limits: .unlimitedBody).with { $0.receiver = receiver }
    }

    @Test func `a body goes to its receiver in order and the response has none`()
      async throws
    {
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let server = try LoopbackServer { _ in .bytes(bytes) }
      let received = Lock<[UInt8]>([])
      let response = try await transport.send(
        request(server) { piece in
          received.withLock { all in piece.withUnsafeBytes { all.append(contentsOf: $0) } }
        })
      #expect(received.withLock { $0 } == bytes)
      #expect(response.body.isEmpty)
      #expect(response.timings.decodedBytes == bytes.count)
    }

    @Test func `a slow receiver does not delay other requests`() async throws {
      let server = try LoopbackServer { _ in .filler(count: 20 << 20) }
      let gate = Gate()
      let slow = try request(server) { _ in try await gate.pass() }
      let task = Task.immediate { [transport] in try await transport.send(slow) }
      await gate.reached()
      let other = try LoopbackServer { _ in .text("x") }
      for _ in 0..<50 { _ = try await transport.send(HTTPRequest(.get, other.url())) }
      gate.open()
      #expect(try await task.value.timings.decodedBytes == 20 << 20)
    }

    @Test func `a throwing receiver ends the exchange with its error`() async throws {
      struct Full: Error, CustomStringConvertible { let description = "the disk is full" }
      let server = try LoopbackServer { _ in .filler(count: 64 << 20) }
      let request = try request(server) { _ in throw Full() }
      #expect(await transport.failure(request) == .receiverFailed("the disk is full"))
      try await server.connectionClosed(0)
    }

    @Test func `the body of an error response is kept and does not go to the receiver`() async throws {
      let server = try LoopbackServer { _ in
        var response = LoopbackResponse.text("no such page")
        response.status = 404
        return response
      }
      let request = try request(server) { _ in Issue.record("the receiver was called") }
      let response = try await transport.send(request)
      #expect(response.body.utf8Text == "no such page")
    }

    @Test func `pieces before a lost connection are still received`() async throws {
      let server = try LoopbackServer { _ in
        .filler(count: 1_000_000).failing(.close(.bodySent(600_000)))
      }
      let received = Lock(0)
      let request = try request(server) { piece in received.withLock { $0 += piece.count } }
      let kind = await transport.failure(request)
      guard case .connectionLost = kind else {
        Issue.record("\(String(describing: kind))")
        return
      }
      #expect(received.withLock { $0 } > 0)
    }

    @Test func `progress increases and ends at the total`() async throws {
      let server = try LoopbackServer { _ in .filler(count: 3_000_000) }
      let steps = Lock<[HTTPRequest.Progress]>([])
      let body = RequestBody.bytes([UInt8](repeating: 1, count: 2_000_000))
      let response = try await transport.send(
        HTTPRequest(.post, server.url(), body: body).with {
          $0.progress = { step in steps.withLock { $0.append(step) } }
        })
      #expect(response.body.count == 3_000_000)
      let all = steps.withLock { $0 }
      #expect(
        all.last
          == HTTPRequest.Progress(
            sent: 2_000_000, toSend: 2_000_000, received: 3_000_000, toReceive: 3_000_000))
      #expect(
        zip(all, all.dropFirst()).allSatisfy { $0.sent <= $1.sent && $0.received <= $1.received })
    }

    @Test(arguments: [true, false])
    func `invalid bytes that waited for the receiver end the exchange`(
      isBroken: Bool
    ) async throws {
      // All of it arrives in one piece, of which the receiver has got the start.
      var bomb = LoopbackResponse.bomb(decodedBytes: 4 << 20)
      if isBroken, case .bytes(var bytes) = bomb.body {
        for index in bytes.index(bytes.endIndex, offsetBy: -600)..<bytes.endIndex {
          bytes[index] ^= 0x5A
        }
        bomb.body = .bytes(bytes)
      }
      let response = bomb
      let server = try LoopbackServer { _ in response }
      var request = try request(server) { _ in }
      request.limits.decompressionRatio = .max
      if !isBroken { request.limits.decodedBytes = 3 << 20 }
      let kind = await transport.failure(request)
      if isBroken {
        guard case .undecodable(let reason) = kind, reason.contains("not valid") else {
          Issue.record("\(String(describing: kind))")
          return
        }
      } else {
        #expect(kind == .tooLarge(.decodedBytes, allowed: 3 << 20))
      }
    }

    @Test func `the error of a throwing receiver has timings`() async throws {
      struct Full: Error {}
      let server = try LoopbackServer { _ in .filler(count: 1 << 20) }
      let request = try request(server) { _ in throw Full() }
      do throws(RequestError) {
        _ = try await transport.send(request)
        Issue.record("it succeeded")
      } catch {
        #expect(error.timings.total > .zero)
        #expect(error.timings.wireBytes > 0)
      }
    }

    @Test func `the progress of a failed call ends with the transferred bytes`() async throws {
      let server = try LoopbackServer { _ in
        .filler(count: 1_000).failing(.close(.bodySent(600)))
      }
      let last = Lock<HTTPRequest.Progress?>(nil)
      let request = HTTPRequest(.get, try server.url()).with {
        $0.progress = { step in last.withLock { $0 = step } }
      }
      #expect(await transport.failure(request) != nil)
      #expect(last.withLock { $0 } == HTTPRequest.Progress(received: 600, toReceive: 1_000))
    }
  }
#endif
