import QuireTesting
import ServerAPI
import Testing

/// Transports with one defect each, which the suite must find.
@Suite struct BrokenTransportTests {
  struct Broken: Transport, CustomTestStringConvertible {
    /// The defect.
    let testDescription: String
    /// The cases that must find it.
    let found: [String]
    /// The wrapped transport; set by the test.
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
      case .success(var received):
        response(&received)
        if throwsForStatus, received.status >= 400 {
          throw RequestError(.status(received.status))
        }
        return received
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
      found: ["an error status is a response"],
      throwsForStatus: true),
    Broken(
      testDescription: "resolves the Location", found: ["a redirect is returned and not followed"],
      response: {
        if let there = $0.headers["Location"] { $0.headers["Location"] = "http:" + there }
      }),
    Broken(
      testDescription: "joins repeated fields",
      found: ["repeated fields stay separate and in order"],
      response: { response in
        for name in ["Link", "Set-Cookie"] where response.headers[name] != nil {
          response.headers[name] = response.headers.values(name).joined(separator: ",")
        }
      }),
    Broken(
      testDescription: "adds a cookie", found: ["nothing that identifies the caller is added"],
      request: { $0.headers.add("Cookie", "a=b") }),
    Broken(
      testDescription: "sorts fields", found: ["header fields arrive unchanged and in order"],
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
      found: ["a body arrives byte for byte, followed by zero padding"],
      response: { response in
        response.body = response.body.withUnsafeBytes { ResponseBody($0.dropLast()) }
      }),
    Broken(
      testDescription: "has no limits",
      found: [
        "too many header lines are too large", "too many header bytes are too large",
        "a body past the decoded limit is too large",
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
      found: ["a response exactly at the limit passes"],
      request: { $0.limits.decodedBytes -= 1 }),
    Broken(
      testDescription: "has no idle limit",
      found: ["a silent server hits the idle timeout"],
      request: { $0.timeouts.idle = .seconds(60) }),
    Broken(
      testDescription: "mistakes the total limit for the idle one",
      found: ["a slow exchange hits the total timeout"],
      error: { if $0.kind == .timeout(.total) { $0.kind = .timeout(.idle) } }),
    Broken(
      testDescription: "reports a cut body as a bad response",
      found: ["a body that is cut off is a lost connection"],
      error: {
        if case .connectionLost = $0.kind { $0.kind = .protocolViolation("cut") }
      }),
    Broken(
      testDescription: "shows the whole URL in errors",
      found: ["an error contains no secret of the request"],
      error: { $0.request += "?token=S3CRET" }),
    Broken(
      testDescription: "continues when cancelled",
      found: [
        "a call cancelled before it starts sends nothing",
        "a call cancelled while the server is silent ends at once",
        "a call cancelled during its body ends at once",
      ],
      ignoresCancel: true),
    Broken(
      testDescription: "gives no receiver its pieces",
      found: ["a receiver gets every piece in order, one at a time"],
      request: { $0.receiver = nil }),
    Broken(
      testDescription: "reports no progress",
      found: ["progress never goes backwards and ends complete"],
      request: { $0.progress = nil }),
    Broken(
      testDescription: "has timings that don't add up",
      found: ["timings are not negative and add up"],
      response: { $0.timings.dns += .seconds(1) }),
  ]

  @Test(arguments: broken)
  func `each defect is found`(broken: Broken) async throws {
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

  @Test func `a transport that never responds fails and doesn't block the run`() async throws {
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
      await suite.run(promise) == .failed("not finished within 0.05 seconds"))
    silent.gate.open()
  }

  @Test func `a report names each case with its outcome`() async {
    var suite = TransportConformance(host: InMemoryHost()) { MockTransport { _ in .status(204) } }
    suite.patience = .seconds(1)
    let report = await suite.run()
    #expect(report.results.map(\.name) == TransportConformance.cases.map(\.name))
    #expect(report.failures.count > 20)
    let lines = report.description.split(separator: "\n")
    #expect(lines.first == "an error status is a response: FAILED: status: expected 400, got 204")
    #expect(lines.contains { $0.hasPrefix("interim responses are skipped: not applicable: ") })
  }
}
