import QuireTesting
import ServerAPI
import Support
import Testing

@Suite struct MockBodyTests {
  @Test func `a receiver gets the body in pieces, and the response has none`() async throws {
    let transport = MockTransport(pieceSize: 4) { _ in .text("0123456789") }
    let pieces = Lock<[String]>([])
    var request = try request("/")
    request.receiver = { piece in pieces.withLock { $0.append(piece.utf8Text ?? "") } }
    let response = try await transport.send(request)
    #expect(pieces.withLock { $0 } == ["0123", "4567", "89"])
    #expect(response.body.isEmpty)
    #expect(response.timings.decodedBytes == 10)
  }

  @Test func `nothing is delivered while the receiver works`() async throws {
    let gate = Gate()
    let transport = MockTransport(pieceSize: 1) { _ in .text("abc") }
    let received = Lock("")
    var request = try request("/")
    request.receiver = { piece in
      received.withLock { $0 += piece.utf8Text ?? "" }
      try await gate.pass()
    }
    let call = Task { [request] in try await transport.send(request) }
    await gate.reached()
    #expect(received.withLock { $0 } == "a")
    gate.open()
    _ = try await call.value
    #expect(received.withLock { $0 } == "abc")
  }

  @Test func `an error of the receiver ends the call`() async throws {
    struct DiskFull: Error {}
    let transport = MockTransport(pieceSize: 1) { _ in .text("abc") }
    let count = Lock(0)
    var request = try request("/")
    request.receiver = { _ in
      count.withLock { $0 += 1 }
      throw DiskFull()
    }
    await expect(.receiverFailed("DiskFull()")) { [request] in try await transport.send(request) }
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `the body of an error status goes into the response, not the receiver`() async throws {
    let transport = MockTransport { _ in .text("sorry", status: 500) }
    var request = try request("/")
    request.receiver = { _ in Issue.record("the receiver was called") }
    #expect(try await transport.send(request).body.utf8Text == "sorry")
  }

  @Test(arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 304)])
  func `some responses have no body, whatever is scripted`(
    method: HTTPMethod, status: Int
  ) async throws {
    let transport = MockTransport { _ in .text("body", status: status) }
    #expect(try await transport.send(request("/", method)).body.isEmpty)
  }

  static let limits: [(RequestError.Kind?, MockResponse, @Sendable (inout HTTPRequest.Limits) -> Void)] = [
    (nil, .text("abcdef"), { $0.decodedBytes = 6 }),
    (.tooLarge(.decodedBytes, allowed: 5), .text("abcdef"), { $0.decodedBytes = 5 }),
    (.tooLarge(.wireBytes, allowed: 5), .text("abcdef"), { $0.wireBytes = 5 }),
    (
      .tooLarge(.decompressionRatio, allowed: 2), compressed("abcdef", to: 2),
      {
        $0.decompressionRatio = 2
        $0.decompressionFloor = 5
      }
    ),
    (
      nil, compressed("abcdef", to: 2),
      {
        $0.decompressionRatio = 2
        $0.decompressionFloor = 6
      }
    ),
    (nil, .text("abcdef"), { $0 = .unlimitedBody }),
    (.tooLarge(.headerCount, allowed: 1), .text("").headers(["a": "b"]), { $0.headerCount = 1 }),
    (
      .tooLarge(.headerBytes, allowed: 60), .text("").headers(["a": "b"]), { $0.headerBytes = 60 }
    ),
    (nil, .text("").headers(["a": "b"]), { $0.headerBytes = 100 }),
  ]

  static func compressed(_ text: String, to count: Int) -> MockResponse {
    var response = MockResponse.text(text)
    response.wireBytes = count
    return response
  }

  @Test(arguments: limits.indices)
  func `a response past a limit is an error that names it`(index: Int) async throws {
    let (kind, response, change) = Self.limits[index]
    let transport = MockTransport { _ in response }
    var request = try request("/")
    change(&request.limits)
    if let kind {
      await expect(kind) { [request] in try await transport.send(request) }
    } else {
      _ = try await transport.send(request)
    }
  }

  @Test func `a receiver gets no byte past the limit`() async throws {
    let transport = MockTransport(pieceSize: 4) { _ in .text("abcdef") }
    let received = Lock("")
    var request = try request("/")
    request.limits.decodedBytes = 5
    request.receiver = { piece in received.withLock { $0 += piece.utf8Text ?? "" } }
    await expect(.tooLarge(.decodedBytes, allowed: 5)) { [request] in
      try await transport.send(request)
    }
    #expect(received.withLock { $0 } == "abcde")
  }

  @Test func `a redirect body is read only up to its own limit`() async throws {
    let transport = MockTransport { _ in
      var redirect = MockResponse.redirect(to: "../b")
      redirect.body = ResponseBody(text: "moved")
      return redirect
    }
    var request = try request("/")
    request.limits.redirectBodyBytes = 2
    let response = try await transport.send(request)
    #expect(response.headers["Location"] == "../b")
    #expect(response.body.utf8Text == "mo")
  }

  @Test func `the error for a cut response has the received size`() async throws {
    let transport = MockTransport { _ in .text("abcdef").cut(afterBytes: 4) }
    await expect(.connectionLost(bytesReceived: 4, reused: false)) {
      try await transport.send(request("/"))
    }
  }

  @Test func `progress is reported every tenth of a second and at the end`() async throws {
    let clock = ManualClock()
    let transport = MockTransport(time: clock.timeSource, pieceSize: 1) { _ in
      .text("abcdef").delayed(by: .milliseconds(100), afterBytes: 2)
    }
    let reported = Lock<[HTTPRequest.Progress]>([])
    var request = try request("/", .post)
    request.body = .text("xy")
    request.progress = { progress in reported.withLock { $0.append(progress) } }
    let call = Task { [request] in try await transport.send(request) }
    await clock.sleepers(atLeast: 1)
    clock.advanceToNextSleeper()
    #expect(try await call.value.timings.sentBytes == 2)
    #expect(
      reported.withLock { $0 }
        == [3, 6].map { HTTPRequest.Progress(sent: 2, toSend: 2, received: $0, toReceive: 6) })
  }
}
