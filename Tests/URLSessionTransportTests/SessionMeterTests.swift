import Foundation
import ServerAPI
import Testing

@testable import URLSessionTransport

/// Limits and timings as values, also with metrics, which Foundation on Linux doesn't deliver.
@Suite struct SessionMeterTests {
  private func meter(
    _ headers: [(name: String, value: String)] = [], status: Int = 200, share: MemoryBudget.Share? = nil,
    _ change: (inout HTTPRequest.Limits) -> Void = { _ in }
  ) throws -> SessionMeter {
    var request = HTTPRequest(.get, try WebURL("http://test/"))
    change(&request.limits)
    var meter = SessionMeter(request, share)
    meter.receive(SessionHead(status: status, fields: headers), at: .seconds(1))
    return meter
  }

  private func failure(_ end: SessionMeter.End?) -> RequestError.Kind? {
    if case .failed(let kind) = end { kind } else { nil }
  }

  @Test func `a bomb is found as it expands if its size on the wire is announced`() throws {
    var meter = try meter([("Content-Encoding", "gzip"), ("Content-Length", "100")]) {
      ($0.decompressionRatio, $0.decompressionFloor) = (10, 500)
    }
    #expect(meter.admit(1_000) == 1_000)
    #expect(meter.end == nil)
    #expect(meter.admit(1_000) == 99)
    #expect(failure(meter.end) == .tooLarge(.decompressionRatio, allowed: 10))
  }

  @Test func `without an announced size, a bomb is stopped at the decoded size, and found by the metrics`() throws {
    var meter = try meter([("Content-Encoding", "gzip")]) {
      ($0.decompressionRatio, $0.decompressionFloor, $0.decodedBytes) = (10, 500, 5_000)
      $0.wireBytes = 400
    }
    #expect(meter.admit(4_000) == 4_000)
    #expect(meter.end == nil)
    func end(_ wire: Int) -> RequestError.Kind? {
      var (ended, phases) = (meter, SessionPhases())
      phases.wireBytes = wire
      ended.finish(phases)
      return failure(ended.endOfSession)
    }
    #expect(end(0) == nil)
    #expect(end(399) == nil)
    #expect(end(300) == .tooLarge(.decompressionRatio, allowed: 10))
    #expect(end(401) == .tooLarge(.wireBytes, allowed: 400))
    #expect(meter.admit(1_001) == 1_000)
    #expect(failure(meter.end) == .tooLarge(.decodedBytes, allowed: 5_000))
  }

  @Test func `a compressed body may be longer than the limit on the wire`() throws {
    var meter = try meter([("Content-Encoding", "gzip"), ("Content-Length", "100")]) { $0.wireBytes = 200 }
    #expect(meter.admit(1_000) == 1_000)
    #expect(meter.end == nil)
    #expect(meter.timings(started: .zero, now: .seconds(2)).wireBytes == 100)
    #expect(meter.timings(started: .zero, now: .seconds(2)).decodedBytes == 1_000)
  }

  @Test(arguments: [(false, RequestError.LimitKind.decodedBytes), (true, .wireBytes)])
  func `a body that is announced as too large ends at its head`(_ isCoded: Bool, _ limit: RequestError.LimitKind) throws
  {
    let coding = isCoded ? [(name: "Content-Encoding", value: "gzip")] : []
    let meter = try meter(coding + [("Content-Length", "1000")]) {
      ($0.wireBytes, $0.decodedBytes) = isCoded ? (999, 9) : (1_000, 999)
    }
    #expect(failure(meter.end) == .tooLarge(limit, allowed: 999))
  }

  @Test(arguments: [302, 404])
  func `the body of a redirect or an error is cut without a failure`(status: Int) throws {
    var meter = try meter(status: status) { ($0.redirectBodyBytes, $0.errorBodyBytes) = (10, 10) }
    #expect(meter.admit(11) == 10)
    guard case .complete = meter.end else {
      Issue.record("\(String(describing: meter.end))")
      return
    }
  }

  @Test func `a body that ends early is a lost connection, also where the session doesn't mind`() throws {
    var meter = try meter([("Content-Length", "10")])
    #expect(meter.admit(9) == 9)
    #expect(failure(meter.endOfSession) == .connectionLost(bytesReceived: 9, reused: false))
    #expect(meter.admit(1) == 1)
    #expect(failure(meter.endOfSession) == nil)
    #expect(failure(try self.meter([("Content-Length", "10")], status: 304).endOfSession) == nil)
  }

  @Test func `a body takes of the memory for all responses`() throws {
    let budget = MemoryBudget(1_000)
    var meter = try meter(share: budget.share())
    #expect(meter.admit(900) == 900)
    #expect(meter.end == nil)
    _ = meter.admit(200)
    #expect(failure(meter.end) == .tooLarge(.memory, allowed: 1_000))
  }

  @Test(arguments: [
    ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]),
    (
      "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=; HttpOnly, c=x=y",
      ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=; HttpOnly", "c=x=y"]
    ),
    ("a=1,2, 3; b=4", ["a=1,2, 3; b=4"]), ("", [""]), (",", [","]),
  ])
  func `joined cookies are separated, and dates stay whole`(value: String, cookies: [String]) {
    let head = SessionHead(status: 200, fields: [("set-cookie", value), ("X-A", "a=1, b=2")])
    #expect(head.headers.values("Set-Cookie") == cookies)
    #expect(head.headers.values("X-A") == ["a=1, b=2"])
  }

  @Test func `the phases are those of the metrics`() throws {
    let start = Date(timeIntervalSince1970: 1_000_000)
    func date(_ milliseconds: Double) -> Date { start + milliseconds / 1_000 }
    var phases = SessionPhases()
    phases.fetchStart = start
    phases.lookup = (date(10), date(30))
    phases.connect = (date(30), date(100))
    phases.handshake = (date(60), date(100))
    phases.request = (date(100), date(101))
    phases.response = (date(151), date(201))
    (phases.protocolName, phases.isReused) = ("h2", true)
    phases.wireBytes = 40
    var meter = try meter([("Content-Encoding", "gzip")])
    _ = meter.admit(100)
    meter.finish(phases)
    let timings = meter.timings(started: .seconds(5), now: .seconds(5) + .milliseconds(300))
    func milliseconds(_ duration: Duration) -> Double { (duration / .milliseconds(1)).rounded() }
    let measured = [
      timings.queue, timings.dns, timings.connect, timings.tls, timings.send, timings.wait, timings.receive,
      timings.total,
    ]
    #expect(measured.map(milliseconds) == [10, 20, 30, 40, 1, 50, 50, 300])
    #expect(timings.reused && timings.httpVersion == "HTTP/2")
    #expect((timings.wireBytes, timings.decodedBytes) == (40, 100))
  }

  @Test(arguments: [
    (String?.none, ""), ("http/1.1", "HTTP/1.1"), ("http/1.0", "HTTP/1.0"), ("h2", "HTTP/2"), ("h3", "HTTP/3"),
  ])
  func `a protocol has the name of its status line`(name: String?, version: String) {
    var phases = SessionPhases()
    phases.protocolName = name
    #expect(phases.httpVersion == version)
  }

  @Test func `a wall clock that was set meanwhile makes no phase negative or longer than the total`() {
    var phases = SessionPhases()
    phases.lookup = (Date(timeIntervalSince1970: 100), Date(timeIntervalSince1970: 50))
    phases.request = (Date(timeIntervalSince1970: 50), Date(timeIntervalSince1970: 52))
    phases.response = (Date(timeIntervalSince1970: 4_000), Date(timeIntervalSince1970: 5_000))
    let timings = phases.timings(total: .seconds(3))
    #expect((timings.dns, timings.send, timings.wait) == (.zero, .seconds(2), .seconds(1)))
    #expect(timings.receive == .zero)
  }
}
