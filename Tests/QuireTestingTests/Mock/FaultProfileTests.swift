import ServerAPI
import Testing

@testable import QuireTesting

@Suite struct FaultProfileTests {
  let clock = ManualClock()

  @Test(arguments: [
    (0, FaultPlan.loseResponseFrom(.seconds(20))),
    (19, .loseResponseFrom(.seconds(20))),
    (20, .fail(.offline)),
    (29, .fail(.offline)),
    (30, .loseResponseFrom(.seconds(50))),
    (3_015, .loseResponseFrom(.seconds(3_020))),
  ])
  func `a train is in a tunnel for a third of the ride`(seconds: Int, plan: FaultPlan) {
    #expect(
      FaultPlan(
        .trainTunnel, elapsed: .seconds(seconds), timeouts: HTTPRequest.Timeouts(),
        draw: { 0 }) == plan)
  }

  @Test(arguments: [
    (0.5, 0.0, FaultPlan.none), (0.4, 0.3, .fail(.connectRefused)),
    (0.4, 0.5, .fail(.connectionLost(bytesReceived: 0, reused: false))), (0.4, 0.9, .loseResponse),
  ])
  func `a flaky network draws its failures`(whether: Double, how: Double, plan: FaultPlan) {
    var draws = [how, whether]
    #expect(
      FaultPlan(.flaky(rate: 0.5, seed: 0), elapsed: .zero, timeouts: HTTPRequest.Timeouts()) {
        draws.removeLast()
      } == plan)
  }

  @Test func `the train leaves the tunnel again`() async throws {
    let transport = MockTransport(time: clock.timeSource) { _ in .text("hello") }
      .with(.trainTunnel)
    #expect(try await transport.send(request("/")).body.utf8Text == "hello")
    clock.advance(by: .seconds(20))
    await expect(.offline) { try await transport.send(request("/")) }
    clock.advance(by: .seconds(10))
    #expect(try await transport.send(request("/")).body.utf8Text == "hello")
  }

  @Test func `a response that arrives in a tunnel is lost`() async throws {
    let base = MockTransport(time: clock.timeSource) { _ in .text("x").delayed(by: .seconds(25)) }
    let transport = base.with(.trainTunnel)
    let call = Task { try await transport.send(request("/")) }
    await clock.sleepers(atLeast: 1)
    clock.advanceToNextSleeper()
    await expect(.connectionLost(bytesReceived: 0, reused: false)) { try await call.value }
  }

  @Test func `a captive portal responds to everything with its login page`() async throws {
    let base = MockTransport { _ in .json("[]") }
    let response = try await base.with(.captivePortal).send(request("/books"))
    #expect(response.status == 200)
    #expect(response.headers["Content-Type"]?.hasPrefix("text/html") == true)
    #expect(response.body.utf8Text?.hasPrefix("<!DOCTYPE html>") == true)
    #expect(base.requests.isEmpty)
  }

  @Test func `a flaky network fails at its rate, repeatably by seed`() async throws {
    func run(seed: UInt64) async throws -> (failures: [RequestError.Kind?], seen: Int) {
      let base = MockTransport { _ in .status(204) }
      let transport = base.with(.flaky(rate: 0.3, seed: seed))
      var failures: [RequestError.Kind?] = []
      for _ in 0..<300 {
        do throws(RequestError) {
          _ = try await transport.send(HTTPRequest(.get, WebURL("https://test")))
          failures.append(nil)
        } catch {
          failures.append(error.kind)
        }
      }
      return (failures, base.requests.count)
    }
    let first = try await run(seed: 7)
    #expect(first.failures == (try await run(seed: 7)).failures)
    #expect(first.failures != (try await run(seed: 8)).failures)
    #expect((60...120).contains(first.failures.count { $0 != nil }))
    #expect(first.seen > first.failures.count { $0 == nil }, "some responses are lost")
  }

  @Test(arguments: [(3, RequestError.Kind?.none), (10, .timeout(.connect))])
  func `slow name resolution hits the connect timeout`(
    seconds: Int, kind: RequestError.Kind?
  ) async throws {
    let base = MockTransport(time: clock.timeSource) { _ in .status(204) }
    let transport = base.with(.slowDNS(.seconds(seconds)))
    let call = Task { try await transport.send(request("/")) }
    await clock.sleepers(atLeast: 1)
    clock.advanceToNextSleeper()
    if let kind {
      await expect(kind) { try await call.value }
      #expect(base.requests.isEmpty)
    } else {
      let timings = try await call.value.timings
      #expect(timings.dns == .seconds(seconds))
      #expect(timings.total == .seconds(seconds))
      #expect(base.requests.first?.timeouts.total == .seconds(60 - seconds))
    }
  }

  @Test(arguments: [FaultProfile.trainTunnel, .captivePortal, .slowDNS(.seconds(1))])
  func `a cancelled call ends as cancelled behind any network`(profile: FaultProfile) async {
    let transport = MockTransport(time: clock.timeSource) { _ in .status(204) }.with(profile)
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(request("/"))
    }
    await expect(.cancelled(.byCaller)) { try await call.value }
  }
}
