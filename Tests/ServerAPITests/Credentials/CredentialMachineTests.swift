import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct CredentialMachineTests {
  func machine() -> CredentialMachine { CredentialMachine(renewBefore: .seconds(30)) }

  func fresh(_ version: Int, lifetime: Duration? = nil) -> CredentialMachine.Versioned {
    .init(credential: .bearer("t\(version)", lifetime: lifetime), version: version)
  }

  @Test func `the first request starts a renewal and the others wait`() {
    var machine = machine()
    #expect(machine.request(now: .zero) == .renew)
    #expect(machine.request(now: .zero) == .wait)
    machine.renewed(.bearer("t1"), now: .zero)
    #expect(machine.request(now: .zero) == .use(fresh(1)))
  }

  @Test func `a rejected older credential is replaced by the newer one without a renewal`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    machine.renewed(.bearer("t1"), now: .zero)
    #expect(machine.rejected(1, now: .zero) == .renew)
    #expect(machine.stale == .bearer("t1"))
    #expect(machine.rejected(1, now: .zero) == .wait)
    machine.renewed(.bearer("t2"), now: .zero)
    #expect(machine.rejected(1, now: .zero) == .use(fresh(2)))
    #expect(machine.rejected(2, now: .zero) == .renew)
  }

  @Test func `a credential close to expiry is renewed in the background, once`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    let life = Duration.seconds(600)
    machine.renewed(.bearer("t1", lifetime: life), now: .zero)
    #expect(machine.request(now: .seconds(569)) == .use(fresh(1, lifetime: life)))
    #expect(machine.request(now: .seconds(570)) == .useAndRenew(fresh(1, lifetime: life)))
    #expect(machine.stale == .bearer("t1", lifetime: life))
    #expect(machine.request(now: .seconds(571)) == .use(fresh(1, lifetime: life)))
    #expect(machine.request(now: .seconds(600)) == .wait)
    machine.renewed(.bearer("t2"), now: .seconds(601))
    #expect(machine.request(now: .seconds(601)) == .use(fresh(2)))
  }

  @Test
  func `a credential with a short lifetime is renewed in its last quarter, not with each request`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    let life = Duration.seconds(20)
    machine.renewed(.bearer("t1", lifetime: life), now: .zero)
    #expect(machine.request(now: .zero) == .use(fresh(1, lifetime: life)))
    #expect(machine.request(now: .seconds(14)) == .use(fresh(1, lifetime: life)))
    #expect(machine.request(now: .seconds(15)) == .useAndRenew(fresh(1, lifetime: life)))
  }

  @Test func `a failed background renewal keeps the valid credential`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    let life = Duration.seconds(600)
    machine.renewed(.bearer("t1", lifetime: life), now: .zero)
    _ = machine.request(now: .seconds(575))
    machine.failed("down", now: .seconds(576))
    #expect(machine.request(now: .seconds(577)) == .use(fresh(1, lifetime: life)))
    #expect(machine.request(now: .seconds(582)) == .useAndRenew(fresh(1, lifetime: life)))
  }

  @Test func `a failure is reported again until it expires`() {
    var machine = machine()
    #expect(machine.request(now: .zero) == .renew)
    machine.failed("wrong password", now: .zero)
    #expect(machine.request(now: .seconds(4)) == .fail("wrong password"))
    #expect(machine.request(now: .seconds(5)) == .renew)
  }

  @Test func `credentials that are always rejected are not renewed forever`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    machine.renewed(.bearer("t"), now: .zero)
    var renewals = 1
    for version in 1..<50 {
      guard machine.rejected(version, now: .seconds(1)) == .renew else { break }
      renewals += 1
      machine.renewed(.bearer("t"), now: .seconds(1))
    }
    #expect(renewals == CredentialMachine.maximumRenewals)
    #expect(machine.request(now: .seconds(32)) == .renew)
  }

  @Test func `renewals whose credentials the server accepts are not limited`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    for version in 1..<5_000 {
      machine.renewed(.bearer("t\(version)"), now: .zero)
      #expect(machine.request(now: .zero) == .use(fresh(version)))
      machine.accepted(version)
      guard machine.rejected(version, now: .zero) == .renew else {
        Issue.record("renewal \(version) was refused")
        return
      }
    }
  }

  @Test func `a late acceptance of a replaced credential still counts`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    for version in 1..<100 {
      machine.renewed(.bearer("t\(version)"), now: .zero)
      machine.sent(version)
      machine.sent(version)
      guard machine.rejected(version, now: .zero) == .renew else {
        Issue.record("renewal \(version) was refused")
        return
      }
      machine.accepted(version)
    }
  }

  @Test func `acceptances only forgive their own renewals`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    machine.renewed(.bearer("t1"), now: .zero)
    var renewals = 1
    for version in 1..<50 {
      machine.accepted(1)
      guard machine.rejected(version, now: .zero) == .renew else { break }
      renewals += 1
      machine.renewed(.bearer("t"), now: .zero)
    }
    #expect(renewals == CredentialMachine.maximumRenewals + 1)
  }

  @Test func `a request renews again only if others use the credential or the server accepted it`() {
    let refusal = CredentialMachine.Action.fail("the server rejected renewed credentials")
    for (sent, isAccepted) in [(1, false), (2, false), (1, true), (2, true)] {
      var machine = machine()
      _ = machine.request(now: .zero)
      machine.renewed(.bearer("t1"), now: .zero)
      for _ in 0..<sent { machine.sent(1) }
      if isAccepted { machine.accepted(1) }
      let isLastTry = sent == 1 && !isAccepted
      #expect(
        machine.rejected(1, replaced: [0], now: .zero)
          == (isLastTry ? refusal : .renew))
      #expect(machine.isRejected)
    }
  }

  @Test func `a request whose renewed credential was already replaced uses the newer one`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    machine.renewed(.bearer("t1"), now: .zero)
    _ = machine.rejected(1, now: .zero)
    machine.renewed(.bearer("t2"), now: .zero)
    #expect(machine.rejected(1, replaced: [0], now: .zero) == .use(fresh(2)))
  }

  @Test func `a request that is always rejected stops renewing while others are accepted`() {
    var machine = machine()
    _ = machine.request(now: .zero)
    machine.renewed(.bearer("t"), now: .zero)
    var renewals = 0
    while renewals < 100 {
      let version = renewals + 1
      machine.sent(version)
      machine.sent(version)
      machine.accepted(version)
      let action = machine.rejected(
        version, replaced: Array(1..<version), now: .zero)
      guard action == .renew else {
        #expect(action == .fail("the server rejected renewed credentials 5 times"))
        break
      }
      renewals += 1
      machine.renewed(.bearer("t"), now: .zero)
    }
    #expect(renewals == CredentialMachine.maximumReplacements)
    // The others keep the credential that they have.
    #expect(machine.request(now: .zero) == .use(.init(credential: .bearer("t"), version: 6)))
  }

  @Test func `a provider that fails is not taken for rejected credentials`() {
    var machine = machine()
    var now = Duration.zero
    for _ in 0..<20 {
      if machine.request(now: now) == .renew {
        machine.failed("the login service is down", now: now)
      }
      #expect(machine.request(now: now) == .fail("the login service is down"))
      now += CredentialMachine.failureMemory
    }
  }

  @Test func `the limit is explained`() {
    var machine = machine()
    for version in 1...5 {
      _ = machine.request(now: .zero)
      machine.renewed(.bearer("t"), now: .zero)
      if version < 5 { _ = machine.rejected(version, now: .zero) }
    }
    guard case .fail(let reason) = machine.rejected(5, now: .zero) else {
      Issue.record("the sixth renewal was allowed")
      return
    }
    #expect(
      RequestError(.authentication(reason), request: "GET https://h/").description
        == """
        GET https://h/ failed: authentication failed: 5 renewals within 30 seconds gave no \
        credentials that the server accepts; check the credentials and their provider
        """)
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(40)))
  func `any sequence has one renewal at a time and never uses a rejected credential`(
    _ seeded: SeededGenerator
  ) {
    var random = seeded
    var machine = machine()
    var now = Duration.zero
    var isRenewing = false
    var newest = 0
    var rejected: Set<Int> = []
    var accepted: Set<Int> = []
    var renewals: [(version: Int, time: Duration)] = []
    for _ in 0..<600 {
      now += .milliseconds(Int.random(in: 0..<1500, using: &random))
      let action: CredentialMachine.Action?
      switch Int.random(in: 0..<5, using: &random) {
      case 0: action = machine.request(now: now)
      case 1:
        let version = max(0, newest - Int.random(in: 0..<2, using: &random))
        rejected.insert(version)
        action = machine.rejected(
          version, replaced: Bool.random(using: &random) ? [] : [0], now: now)
      case 2 where isRenewing:
        newest += 1
        machine.renewed(
          .bearer("t\(newest)", lifetime: .seconds(Int.random(in: 0..<90, using: &random))),
          now: now)
        (isRenewing, action) = (false, nil)
      case 3 where isRenewing && Int.random(in: 0..<3, using: &random) == 0:
        machine.failed("no", now: now)
        (isRenewing, action) = (false, nil)
      case 4 where newest > 0:
        let version = max(1, newest - Int.random(in: 0..<3, using: &random))
        machine.sent(version)
        if Bool.random(using: &random) {
          machine.accepted(version)
          accepted.insert(version)
        }
        action = nil
      default: action = nil
      }
      switch action {
      case .renew, .useAndRenew:
        #expect(!isRenewing)
        isRenewing = true
        renewals.append((newest + 1, now))
        let useless = renewals.count {
          $0.time + CredentialMachine.window > now && !accepted.contains($0.version)
        }
        #expect(useless <= CredentialMachine.maximumRenewals)
      case .use(let found):
        #expect(found.version == newest && !rejected.contains(found.version))
      case .wait: #expect(isRenewing)
      case .fail, nil: break
      }
    }
  }
}
