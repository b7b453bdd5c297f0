import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct RetryPolicyTests {
  let policy = RetryPolicy()

  func retryCase(
    _ failure: RequestError.Kind, _ method: HTTPMethod = .get, retries: Int = 0,
    retryAfter: Duration? = nil, remaining: Duration = .seconds(60)
  ) -> RetryContext {
    RetryContext(
      failure: failure, retryAfter: retryAfter, method: method, retries: retries,
      remaining: remaining)
  }

  @Test(arguments: [
    RequestError.Kind.tls(.notPinned), .tls(.expired), .tls(.handshake("x")),
    .cancelled(.byCaller), .cancelled(.superseded), .tooLarge(.wireBytes, allowed: 1),
    .invalidRequest(.init(.url, "x")), .business(code: "1", message: ""), .status(500),
    .status(404), .status(401), .timeout(.total), .timeout(.queue), .redirect(.loop),
    .authentication("x"), .unusable("x"), .receiverFailed("x"), .proxy("x"),
    .unexpectedContent(.mediaType(expected: "a/b", received: "c/d")),
  ])
  func `a permanent failure is not retried`(failure: RequestError.Kind) {
    #expect(policy.decide(retryCase(failure), random: 0.5) == .stop(.permanent))
  }

  @Test(arguments: [
    RequestError.Kind.undecodable("gzip"), .protocolViolation("x"),
    .unexpectedContent(.captivePortal), .unexpectedContent(.empty),
  ])
  func `a damaged response is requested once more, on a new connection`(
    failure: RequestError.Kind
  ) {
    var damaged = retryCase(failure)
    guard case .retry(_, _, let isFresh, let cost) = policy.decide(damaged, random: 0) else {
      Issue.record("it is not retried")
      return
    }
    #expect(isFresh && cost == .attempt)
    damaged.hasMended = true
    #expect(policy.decide(damaged, random: 0) == .stop(.attempts))
    #expect(policy.decide(retryCase(failure, .post), random: 0) == .stop(.notReplayable))
  }

  @Test func `a walk retries temporary faults of gateways, unless statuses are named`() {
    #expect(
      policy.ofWalks.statuses.isSuperset(of: policy.statuses.union([500, 507, 520, 530, 599])))
    var named = policy
    named.statuses = [503]
    #expect(named.ofWalks == named)
  }

  @Test(arguments: [408, 425, 429, 502, 503, 504])
  func `a temporary status is retried for a read`(status: Int) {
    #expect(
      policy.decide(retryCase(.status(status)), random: 0.5)
        == .retry(
          after: .milliseconds(100), reason: "status \(status)", freshConnection: false, .attempt))
  }

  @Test(arguments: [
    (RequestError.Kind.nameNotResolved(host: "h"), true), (.connectRefused, true),
    (.connectFailed("x"), true), (.timeout(.connect), true), (.offline, true),
    (.timeout(.resolve), true), (.timeout(.handshake), true),
    (.retryRequested(after: nil, reason: "later"), true),
    (.connectionLost(bytesReceived: 0, reused: true), false),
    (.connectionLost(bytesReceived: 9, reused: false), false), (.sendFailed, false),
    (.timeout(.idle), false), (.status(503), false), (.status(429), false),
  ])
  func `a POST is only retried if it was certainly not processed`(
    failure: RequestError.Kind, repeats: Bool
  ) {
    let decision = policy.decide(retryCase(failure, .post), random: 0.5)
    #expect((decision != .stop(.notReplayable)) == repeats)
    var keyed = retryCase(failure, .post)
    keyed.hasIdempotencyKey = true
    #expect(policy.decide(keyed, random: 0.5) != .stop(.notReplayable))
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE"])
  func `a lost connection is retried for an idempotent method`(method: String) {
    let lost = retryCase(
      .connectionLost(bytesReceived: 9, reused: false), HTTPMethod(rawValue: method))
    guard case .retry = policy.decide(lost, random: 0.5) else {
      Issue.record("\(method) is not retried")
      return
    }
  }

  @Test func `nothing is retried once a receiver has bytes`() {
    var failed = retryCase(.connectionLost(bytesReceived: 5, reused: false))
    failed.receiverHasBytes = true
    #expect(policy.decide(failed, random: 0) == .stop(.notReplayable))
  }

  @Test func `the delay is random up to a bound that doubles to a maximum`() {
    var policy = policy
    policy.attempts = 1000
    func delay(_ retries: Int, _ random: Double) -> Duration? {
      let failed = retryCase(.status(503), retries: retries)
      guard case .retry(let delay, _, _, _) = policy.decide(failed, random: random) else {
        return nil
      }
      return delay
    }
    #expect(delay(0, 0) == .zero)
    #expect(delay(0, 0.5) == .milliseconds(100))
    #expect(delay(3, 0.5) == .milliseconds(800))
    #expect(delay(6, 0.5) == .seconds(5))
    #expect(delay(998, 0.5) == .seconds(5))
  }

  @Test func `the delay a server requests is used, with jitter, and never shortened`() {
    let soon = retryCase(.status(503), retryAfter: .seconds(7))
    #expect(
      policy.decide(soon, random: 0.5)
        == .retry(
          after: .milliseconds(7100), reason: "status 503", freshConnection: false, .attempt))
    let late = retryCase(.status(503), retryAfter: .seconds(121), remaining: .seconds(500))
    #expect(policy.decide(late, random: 0) == .stop(.retryAfter))
    let beyond = retryCase(.status(503), retryAfter: .seconds(7), remaining: .seconds(6))
    #expect(policy.decide(beyond, random: 0) == .stop(.deadline))
  }

  @Test func `the wait for a rate limit has its own bound and not the deadline`() {
    func decide(
      _ status: Int, _ wait: Duration?, waited: Duration = .zero,
      remaining: Duration = .seconds(6), isLimit: Bool = true
    ) -> RetryDecision {
      var failed = retryCase(.status(status), retryAfter: wait, remaining: remaining)
      failed.asksToWait = isLimit
      failed.limitWait = waited
      return policy.decide(failed, random: 0)
    }
    for (status, reason) in [(429, "status 429"), (403, "a rate limit, status 403")] {
      let wait = RetryDecision.retry(
        after: .seconds(120), reason: reason, freshConnection: false, .wait)
      #expect(decide(status, .seconds(120)) == wait)
      #expect(decide(status, .seconds(121)) == .stop(.retryAfter))
      #expect(decide(status, .seconds(60), waited: .seconds(61)) == .stop(.retryAfter))
      #expect(decide(status, .seconds(5), remaining: .zero) == .stop(.deadline))
    }
    #expect(
      decide(403, nil)
        == .retry(
          after: .zero, reason: "a rate limit, status 403", freshConnection: false, .attempt))
    #expect(decide(403, .seconds(1), isLimit: false) == .stop(.permanent))
    #expect(decide(503, .seconds(7), isLimit: false) == .stop(.deadline))
  }

  @Test func `a 403 for a rate limit is retried if the policy retries 429`() {
    var policy = policy
    var failed = retryCase(.status(403), retryAfter: .zero)
    failed.asksToWait = true
    policy.statuses = [503]
    #expect(policy.decide(failed, random: 0) == .stop(.permanent))
    failed.method = .post
    policy.statuses = [429]
    #expect(policy.decide(failed, random: 0) == .stop(.notReplayable))
  }

  @Test func `the delay an interceptor requests takes precedence over the server's`() {
    let failed = retryCase(
      .retryRequested(after: .seconds(2), reason: "signature"), .post, retryAfter: .seconds(9))
    #expect(
      policy.decide(failed, random: 0)
        == .retry(after: .seconds(2), reason: "signature", freshConnection: false, .attempt))
  }

  @Test func `a connection closed while idle is replaced once, at once and for free`() {
    var failed = retryCase(.connectionLost(bytesReceived: 0, reused: true), retries: 2)
    #expect(
      policy.decide(failed, random: 0.9)
        == .retry(after: .zero, reason: "connection lost", freshConnection: true, .nothing))
    failed.usedFreshConnection = true
    #expect(policy.decide(failed, random: 0.9) == .stop(.attempts))
  }

  @Test func `a wait that the server asks for is no attempt, unless it is for no time`() {
    for (status, retries) in [(429, 2), (503, 2), (403, 2), (429, 100)] {
      var failed = retryCase(.status(status), retries: retries, retryAfter: .seconds(1))
      failed.asksToWait = true
      guard case .retry(.seconds(1), _, false, .wait) = policy.decide(failed, random: 0) else {
        Issue.record("\(status): \(policy.decide(failed, random: 0))")
        continue
      }
      failed.limitWait = .milliseconds(119_001)
      #expect(policy.decide(failed, random: 0) == .stop(.retryAfter))
      (failed.limitWait, failed.retryAfter) = (.zero, .zero)
      #expect(policy.decide(failed, random: 0) == .stop(.attempts))
      failed.retryAfter = nil
      #expect(policy.decide(failed, random: 0) == .stop(.attempts))
    }
    var never = retryCase(.status(429), retryAfter: .seconds(1))
    never.asksToWait = true
    #expect(RetryPolicy.never.decide(never, random: 0) == .stop(.attempts))
  }

  @Test func `attempts are counted`() {
    #expect(policy.decide(retryCase(.status(503), retries: 2), random: 0) == .stop(.attempts))
    #expect(RetryPolicy.never.decide(retryCase(.connectRefused), random: 0) == .stop(.attempts))
  }
}
