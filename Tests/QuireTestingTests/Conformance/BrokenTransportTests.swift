import QuireTesting
import ServerAPI
import Testing

/// A suite is worth as much as the mistakes it finds: each transport here makes one.
@Suite struct BrokenTransportTests {
  struct Broken: Transport, CustomTestStringConvertible {
    /// What it does wrong.
    let testDescription: String
    /// The cases that must find it.
    let found: [String]
    /// The transport it relies on; set by the test.
    var base: any Transport = MockTransport()
    var request: @Sendable (inout HTTPRequest) -> Void = { _ in }
    var response: @Sendable (inout HTTPResponse) -> Void = { _ in }
    var error: @Sendable (inout RequestError) -> Void = { _ in }
    var ignoresCancel = false
    var throwsForStatus = false

    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
      var changed = request
      self.request(&changed)
      let result = ignoresCancel ? await detached(changed) : await attached(changed)
      switch result {
      case .success(var answer):
        response(&answer)
        if throwsForStatus, answer.status >= 400 { throw RequestError(.status(answer.status)) }
        return answer
      case .failure(var failure):
        error(&failure)
        throw failure
      }
    }

    private func attached(_ request: HTTPRequest) async -> Result<HTTPResponse, RequestError> {
      do throws(RequestError) {
        return .success(try await base.send(request))
      } catch {
        return .failure(error)
      }
    }

    private func detached(_ request: HTTPRequest) async -> Result<HTTPResponse, RequestError> {
      await Task { await attached(request) }.value
    }
  }

  static let broken: [Broken] = [
    Broken(
      testDescription: "throws for an error status",
      found: ["an error status is an answer"],
      throwsForStatus: true),
    Broken(
      testDescription: "resolves the Location", found: ["a redirect is returned and not followed"],
      response: {
        if let there = $0.headers["Location"] { $0.headers["Location"] = "http:" + there }
      }),
    Broken(
      testDescription: "joins repeated fields",
      found: ["repeated fields are kept apart and in order"],
      response: { answer in
        for name in ["Link", "Set-Cookie"] where answer.headers[name] != nil {
          answer.headers[name] = answer.headers.values(name).joined(separator: ",")
        }
      }),
    Broken(
      testDescription: "adds a cookie", found: ["nothing that identifies the caller is added"],
      request: { $0.headers.add("Cookie", "a=b") }),
    Broken(
      testDescription: "sorts fields", found: ["fields arrive exactly as given, in order"],
      request: { $0.headers = HTTPHeaders($0.headers.fields.sorted { $0.name < $1.name }) }),
    Broken(
      testDescription: "repairs malformed fields",
      found: ["a line break or NUL in a field never reaches the wire"],
      request: { $0.headers = HTTPHeaders($0.headers.fields.filter { $0.name == "Accept" }) }),
    Broken(
      testDescription: "drops the end of an upload",
      found: ["an upload arrives byte for byte, files included"],
      request: { _ = $0.body?.pieces.popLast() }),
    Broken(
      testDescription: "loses the last byte of a body",
      found: ["a body arrives byte for byte and zeros follow it"],
      response: { answer in
        answer.body = answer.body.withUnsafeBytes { ResponseBody($0.dropLast()) }
      }),
    Broken(
      testDescription: "has no limits",
      found: [
        "too many header lines are too large", "too many header bytes are too large",
        "a body past the limit after decoding is too large",
        "a compression bomb is found by its ratio",
      ],
      request: {
        $0.limits = .unlimitedBody
        $0.limits.headerBytes = .max
        $0.limits.headerCount = .max
        $0.limits.decompressionRatio = .max
      }),
    Broken(
      testDescription: "is off by one at the limit",
      found: ["an answer exactly at the limit passes"],
      request: { $0.limits.decodedBytes -= 1 }),
    Broken(
      testDescription: "has no idle limit",
      found: ["a server that says nothing runs into the idle limit"],
      request: { $0.timeouts.idle = .seconds(60) }),
    Broken(
      testDescription: "mistakes the total limit for the idle one",
      found: ["an exchange that takes too long runs into the total limit"],
      error: { if $0.kind == .timeout(.total) { $0.kind = .timeout(.idle) } }),
    Broken(
      testDescription: "takes a cut body for a bad answer",
      found: ["a body that is cut off is a lost connection"],
      error: {
        if case .connectionLost = $0.kind { $0.kind = .protocolViolation("cut") }
      }),
    Broken(
      testDescription: "shows the whole address in errors",
      found: ["an error holds no secret of the request"],
      error: { $0.request += "?token=S3CRET" }),
    Broken(
      testDescription: "goes on when cancelled",
      found: [
        "a call cancelled before it starts reaches nobody",
        "a call cancelled while the server is silent ends at once",
        "a call cancelled in the middle of a body ends at once",
      ],
      ignoresCancel: true),
    Broken(
      testDescription: "gives no receiver its pieces",
      found: ["a receiver gets every piece in order, one at a time"],
      request: { $0.receiver = nil }),
    Broken(
      testDescription: "tells no progress", found: ["progress never goes back and ends complete"],
      request: { $0.progress = nil }),
    Broken(
      testDescription: "has timings that do not add up",
      found: ["timings are not negative and add up"],
      response: { $0.timings.dns += .seconds(1) }),
  ]

  @Test(arguments: broken)
  func `a mistake is found`(broken: Broken) async throws {
    let host = InMemoryHost()
    var suite = TransportConformance(host: host) {
      var transport = broken
      transport.base = host.transport
      return transport
    }
    suite.patience = .seconds(1)
    for name in broken.found {
      let promise = try #require(TransportConformance.cases.first { $0.name == name })
      let outcome = await suite.run(promise)
      #expect(!outcome.isAccepted, "“\(name)” was \(outcome)")
    }
  }

  @Test func `a transport that never answers fails and does not hold up the run`() async throws {
    struct Silent: Transport {
      let gate = Gate()

      func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        await Task { [gate] in try? await gate.pass() }.value
        throw RequestError(.offline)
      }
    }
    let silent = Silent()
    var suite = TransportConformance(host: InMemoryHost()) { silent }
    suite.patience = .milliseconds(50)
    let promise = try #require(TransportConformance.cases.first)
    #expect(
      await suite.run(promise) == .failed("it did not come to an end within 0.05 seconds"))
    silent.gate.open()
  }

  @Test func `a report names each case with its outcome`() async {
    var suite = TransportConformance(host: InMemoryHost()) { MockTransport { _ in .status(204) } }
    suite.patience = .seconds(1)
    let report = await suite.run()
    #expect(report.results.map(\.name) == TransportConformance.cases.map(\.name))
    #expect(report.failures.count > 20)
    let lines = report.description.split(separator: "\n")
    #expect(lines.first == "an error status is an answer: FAILED: status: expected 400, got 204")
    #expect(lines.contains { $0.hasPrefix("interim answers are left out: not applicable: ") })
  }
}
