import QuireTesting
import Support
import Testing

@testable import ServerAPI

@Suite(.timeLimit(.minutes(1))) struct AuthenticationRaceTests {
  /// A service that accepts only one token.
  static func service(accepts token: String) -> MockTransport {
    MockTransport { request in
      let isAccepted = request.headers["Authorization"] == "Bearer " + token
      return .text("who are you", status: isAccepted ? 200 : 401)
    }
  }

  @Test func `many rejections call the provider once`() async throws {
    let calls = Counter()
    let gate = Gate()
    let transport = MockTransport { request in
      let isAccepted = request.headers["Authorization"] == "Bearer t2"
      return isAccepted ? .status(200) : .status(401).held(by: gate)
    }
    let server = Server("https://a.example", transport: transport) {
      $0.authentication = .provider { _ in .bearer("t\(calls.add())") }
    }
    let outcomes = await withTaskGroup(of: HTTPResponse.Attempt.Outcome.self) { group in
      for index in 0..<100 { group.addTask { await server.outcome(Call("/\(index)")) } }
      await gate.reached(by: 100)
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes == Array(repeating: .responded(200), count: 100))
    #expect(calls.value == 2)
    #expect(transport.requests.count == 200)
  }

  @Test func `rejected renewed credentials are an authentication error`() async {
    let calls = Counter()
    let transport = Self.service(accepts: "nothing")
    let server = Server("https://a.example", transport: transport) {
      $0.authentication = .provider { _ in .bearer("t\(calls.add())") }
    }
    #expect(
      await server.outcome(Call("/x"))
        == .failed(.authentication("the server rejected renewed credentials")))
    #expect(calls.value == 2)
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/x")) }
    #expect(error?.responseBody?.utf8Text == "who are you")
    for _ in 0..<50 { _ = await server.outcome(Call("/x")) }
    #expect(calls.value == CredentialMachine.maximumRenewals)
  }

  @Test func `a failed provider is not called for a while`() async {
    struct Refused: Error, CustomStringConvertible { let description = "wrong password" }
    let calls = Counter()
    let clock = ManualClock()
    let transport = Self.service(accepts: "t")
    let server = Server("https://a.example", transport: transport) {
      $0.time = clock.timeSource
      $0.authentication = .provider { _ in
        calls.add()
        throw Refused()
      }
    }
    for _ in 0..<5 {
      #expect(await server.outcome(Call("/x")) == .failed(.authentication("wrong password")))
    }
    #expect(calls.value == 1)
    clock.advance(by: CredentialMachine.failureMemory)
    _ = await server.outcome(Call("/x"))
    #expect(calls.value == 2)
    #expect(transport.requests.isEmpty)
  }

  @Test func `a cancelled caller does not end the renewal for the others`() async {
    let gate = Gate()
    let server = Server("https://a.example", transport: Self.service(accepts: "t")) {
      $0.authentication = .provider { _ in
        try await gate.pass()
        return .bearer("t")
      }
    }
    let leaver = Task { await server.outcome(Call("/1")) }
    await gate.reached()
    let stayer = Task { await server.outcome(Call("/2")) }
    leaver.cancel()
    #expect(await leaver.value == .failed(.cancelled(.byCaller)))
    gate.open()
    #expect(await stayer.value == .responded(200))
    #expect(gate.arrivals == 1)
    #expect(gate.cancellations == 0)
  }

  @Test func `a hanging provider is abandoned at the deadline`() async {
    let clock = ManualClock()
    let gate = Gate()
    let server = Server("https://a.example", transport: Self.service(accepts: "t")) {
      $0.time = clock.timeSource
      $0.timeouts.total = .seconds(10)
      $0.authentication = .provider { _ in
        // Ignores its cancellation.
        await Task { try? await gate.pass() }.value
        return .bearer("t")
      }
    }
    let call = Task { await server.outcome(Call("/x")) }
    // The deadline of the call or the limit of the provider.
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(10))
    guard case .failed(let kind) = await call.value else {
      Issue.record("the call did not fail")
      return
    }
    #expect(
      kind == .timeout(.total) || kind == .authentication("the provider timed out"))
    gate.open()
  }

  @Test func `the provider may call its own server`() async {
    let transport = MockTransport { request in
      if request.url.path == "/login" { return .text("t") }
      return .status(request.headers["Authorization"] == "Bearer t" ? 200 : 401)
    }
    let box = ServerBox()
    let server = Server("https://a.example", transport: transport) {
      $0.authentication = .provider { _ in
        .bearer(try await box.server?.send(Call("/login")).body.utf8Text ?? "none")
      }
    }
    box.server = server
    // A provider that captures its own server would never be released.
    defer { box.server = nil }
    #expect(await server.outcome(Call("/x")) == .responded(200))
    #expect(transport.requests.map { $0.headers["Authorization"] } == [nil, "Bearer t"])
  }

  @Test func `a provider that sends its caller's request does not wait for itself`() async {
    let transport = MockTransport(playing: [.status(200)])
    let box = ServerBox()
    let server = Server("https://a.example", transport: transport) {
      $0.authentication = .provider { _ in
        _ = try await box.server?.send(Call("/x"))
        return .bearer("t")
      }
    }
    box.server = server
    // A provider that captures its own server would never be released.
    defer { box.server = nil }
    #expect(await server.outcome(Call("/x")) == .responded(200))
    #expect(transport.requests.count == 2)
  }

  @Test func `a field of the call is not replaced`() async {
    let transport = Self.service(accepts: "mine")
    let server = Server("https://a.example", transport: transport) {
      $0.authentication = .bearer("common")
    }
    let call = Call("/x", headers: ["authorization": "Bearer mine"])
    #expect(await server.outcome(call) == .responded(200))
    #expect(await server.outcome(Call("/x")) == .failed(.status(401)))
  }

  @Test func `a secret with a line break is rejected without showing it`() async throws {
    let transport = Self.service(accepts: "x")
    let server = Server("https://a.example", transport: transport) {
      $0.authentication = .bearer("to\r\nken")
    }
    let error = await #expect(throws: RequestError.self) { try await server.send(Call("/x")) }
    guard case .invalidRequest(let defect)? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(defect.place == .headerValue("Authorization"))
    #expect(!"\(defect)".contains("ken"))
    #expect(transport.requests.isEmpty)
    #expect("\(Authentication.Credential.bearer("secret"))" == "Authorization: …")
  }
}

/// Lets a provider use the server that is created after it.
private final class ServerBox: Sendable {
  private let value = Lock<Server?>(nil)
  var server: Server? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
