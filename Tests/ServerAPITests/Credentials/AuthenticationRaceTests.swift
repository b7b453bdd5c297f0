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

  @Test func `a walk with tokens that die after three requests reaches its end`() async {
    let tokens = ShortLivedTokens(uses: 3)
    let clock = ManualClock()
    let server = tokens.server { $0.time = clock.timeSource }
    for page in 0..<3_000 {
      let outcome = await server.outcome(Call("/\(page)"))
      guard outcome == .responded(200) else {
        Issue.record("page \(page): \(outcome)")
        return
      }
    }
    #expect(tokens.issued == 1_000)
  }

  @Test func `64 callers share tokens that die after three requests`() async {
    let tokens = ShortLivedTokens(uses: 3)
    let clock = ManualClock()
    let server = tokens.server {
      $0.time = clock.timeSource
      $0.sharesReads = false
    }
    let outcomes = await withTaskGroup(of: HTTPResponse.Attempt.Outcome.self) { group in
      for caller in 0..<64 {
        group.addTask {
          var outcome = HTTPResponse.Attempt.Outcome.responded(200)
          for page in 0..<20 where outcome == .responded(200) {
            outcome = await server.outcome(Call("/\(caller)/\(page)"))
          }
          return outcome
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(outcomes == [.responded(200)])
  }

  @Test func `callers of several users renew once per user and never mix credentials`() async {
    let users = ["ann", "bob", "cat"]
    let gate = Gate()
    let calls = users.map { _ in Counter() }
    let transport = MockTransport { request in
      let user = request.url.path.split(separator: "/").first.map(String.init) ?? ""
      switch request.headers["Authorization"] {
      case "Bearer \(user)-2": return .status(200)
      case "Bearer \(user)-1": return .status(401).held(by: gate)
      default: return .status(400)
      }
    }
    let servers = zip(users, calls).map { user, calls in
      Server("https://a.example", transport: transport) {
        $0.authentication = .provider { _ in .bearer("\(user)-\(calls.add())") }
      }
    }
    let outcomes = await withTaskGroup(of: HTTPResponse.Attempt.Outcome.self) { group in
      for caller in 0..<64 {
        for (user, server) in zip(users, servers) {
          group.addTask { await server.outcome(Call("/\(user)/\(caller)")) }
        }
      }
      await gate.reached(by: 64 * users.count)
      gate.open()
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(outcomes == [.responded(200)])
    #expect(calls.map(\.value) == [2, 2, 2])
  }

  @Test(arguments: [429, 500, 503])
  func `a response that says nothing about the credential does not prove it`(status: Int) async {
    let calls = Counter()
    let transport = MockTransport.numbered { _, index in
      index.isMultiple(of: 2) ? .status(401) : .status(status)
    }
    let server = Server("https://a.example", transport: transport) {
      $0.retry = .never
      $0.authentication = .provider { _ in .bearer("t\(calls.add())") }
    }
    for _ in 0..<50 { _ = await server.outcome(Call("/x")) }
    #expect(calls.value == CredentialMachine.maximumRenewals)
  }

  @Test(arguments: [204, 302, 403, 404])
  func `any response that is not a rejection proves the credential`(status: Int) async {
    let calls = Counter()
    let transport = MockTransport.numbered { _, index in
      index.isMultiple(of: 2) ? .status(401) : .status(status)
    }
    let server = Server("https://a.example", transport: transport) {
      $0.redirects.maximum = 0
      $0.authentication = .provider { _ in .bearer("t\(calls.add())") }
    }
    for _ in 0..<50 { _ = await server.outcome(Call("/x")) }
    #expect(calls.value == 51)
  }

  @Test func `a rejection that an interceptor hides does not prove the credential`() async {
    struct Hiding: Interceptor {
      func intercept(
        _ request: HTTPRequest, next: Next
      ) async throws(RequestError) -> HTTPResponse {
        var response = try await next(request)
        if request.url.path == "/hidden" { response.status = 200 }
        return response
      }
    }
    let calls = Counter()
    let server = Server("https://a.example", transport: MockTransport { _ in .status(401) }) {
      $0.networkInterceptors = [Hiding()]
      $0.authentication = .provider { _ in .bearer("t\(calls.add())") }
    }
    for _ in 0..<50 {
      _ = await server.outcome(Call("/hidden"))
      _ = await server.outcome(Call("/x"))
    }
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

/// A service whose tokens are valid for a few requests.
private final class ShortLivedTokens: Sendable {
  /// Guards the newest token and how often it may still be used.
  private let state = Lock((issued: 0, left: 0))
  private let uses: Int

  init(uses: Int) { self.uses = uses }

  var issued: Int { state.withLock { $0.issued } }

  func server(_ configure: (inout Server.Configuration) -> Void) -> Server {
    let transport = MockTransport { [self] request in
      let isAccepted = state.withLock { state in
        guard request.headers["Authorization"] == "Bearer \(state.issued)", state.left > 0 else {
          return false
        }
        state.left -= 1
        return true
      }
      return .status(isAccepted ? 200 : 401)
    }
    return Server("https://a.example", transport: transport) {
      $0.authentication = .provider { [self] _ in
        .bearer(
          state.withLock { state in
            state = (state.issued + 1, uses)
            return "\(state.issued)"
          })
      }
      configure(&$0)
    }
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
