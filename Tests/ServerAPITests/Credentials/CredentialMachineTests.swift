import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct CredentialMachineTests {
  func machine() -> CredentialMachine { CredentialMachine(renewBefore: .seconds(30)) }

  func fresh(_ version: Int, lifetime: Duration? = nil) -> CredentialMachine.Versioned {
    .init(credential: .bearer("t\(version)", lifetime: lifetime), version: version)
  }

  @Test func `the first request asks and the others wait`() {
    var machine = machine()
    #expect(machine.need(now: .zero) == .renew)
    #expect(machine.need(now: .zero) == .wait)
    machine.renewed(.bearer("t1"), now: .zero)
    #expect(machine.need(now: .zero) == .use(fresh(1)))
  }

  @Test func `who was refused with an older credential gets the newer one and asks for nothing`() {
    var machine = machine()
    _ = machine.need(now: .zero)
    machine.renewed(.bearer("t1"), now: .zero)
    #expect(machine.refused(1, now: .zero) == .renew)
    #expect(machine.stale == .bearer("t1"))
    #expect(machine.refused(1, now: .zero) == .wait)
    machine.renewed(.bearer("t2"), now: .zero)
    #expect(machine.refused(1, now: .zero) == .use(fresh(2)))
    #expect(machine.refused(2, now: .zero) == .renew)
  }

  @Test func `near its end a credential is renewed in the background, once`() {
    var machine = machine()
    _ = machine.need(now: .zero)
    let life = Duration.seconds(600)
    machine.renewed(.bearer("t1", lifetime: life), now: .zero)
    #expect(machine.need(now: .seconds(569)) == .use(fresh(1, lifetime: life)))
    #expect(machine.need(now: .seconds(570)) == .useAndRenew(fresh(1, lifetime: life)))
    #expect(machine.stale == .bearer("t1", lifetime: life))
    #expect(machine.need(now: .seconds(571)) == .use(fresh(1, lifetime: life)))
    #expect(machine.need(now: .seconds(600)) == .wait)
    machine.renewed(.bearer("t2"), now: .seconds(601))
    #expect(machine.need(now: .seconds(601)) == .use(fresh(2)))
  }

  @Test func `a credential of short life is renewed in its last quarter, not with each request`() {
    var machine = machine()
    _ = machine.need(now: .zero)
    let life = Duration.seconds(20)
    machine.renewed(.bearer("t1", lifetime: life), now: .zero)
    #expect(machine.need(now: .zero) == .use(fresh(1, lifetime: life)))
    #expect(machine.need(now: .seconds(14)) == .use(fresh(1, lifetime: life)))
    #expect(machine.need(now: .seconds(15)) == .useAndRenew(fresh(1, lifetime: life)))
  }

  @Test func `a background renewal that fails leaves the good credential in place`() {
    var machine = machine()
    _ = machine.need(now: .zero)
    let life = Duration.seconds(600)
    machine.renewed(.bearer("t1", lifetime: life), now: .zero)
    _ = machine.need(now: .seconds(575))
    machine.failed("down", now: .seconds(576))
    #expect(machine.need(now: .seconds(577)) == .use(fresh(1, lifetime: life)))
    #expect(machine.need(now: .seconds(582)) == .useAndRenew(fresh(1, lifetime: life)))
  }

  @Test func `a failure is remembered for a while and then forgotten`() {
    var machine = machine()
    #expect(machine.need(now: .zero) == .renew)
    machine.failed("wrong password", now: .zero)
    #expect(machine.need(now: .seconds(4)) == .fail("wrong password"))
    #expect(machine.need(now: .seconds(5)) == .renew)
  }

  @Test func `credentials that never help are not asked for without end`() {
    var machine = machine()
    _ = machine.need(now: .zero)
    machine.renewed(.bearer("t"), now: .zero)
    var renewals = 1
    for version in 1..<50 {
      guard machine.refused(version, now: .seconds(1)) == .renew else { break }
      renewals += 1
      machine.renewed(.bearer("t"), now: .seconds(1))
    }
    #expect(renewals == CredentialMachine.maximumRenewals)
    #expect(machine.need(now: .seconds(32)) == .renew)
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(40)))
  func `any sequence asks one question at a time and never hands out what was refused`(
    _ seeded: SeededGenerator
  ) {
    var random = seeded
    var machine = machine()
    var now = Duration.zero
    var isAsked = false
    var newest = 0
    var refused: Set<Int> = []
    var asked: [Duration] = []
    for _ in 0..<600 {
      now += .milliseconds(Int.random(in: 0..<1500, using: &random))
      let action: CredentialMachine.Action?
      switch Int.random(in: 0..<4, using: &random) {
      case 0: action = machine.need(now: now)
      case 1:
        let version = max(0, newest - Int.random(in: 0..<2, using: &random))
        refused.insert(version)
        action = machine.refused(version, now: now)
      case 2 where isAsked:
        newest += 1
        machine.renewed(
          .bearer("t\(newest)", lifetime: .seconds(Int.random(in: 0..<90, using: &random))),
          now: now)
        (isAsked, action) = (false, nil)
      case 3 where isAsked && Int.random(in: 0..<3, using: &random) == 0:
        machine.failed("no", now: now)
        (isAsked, action) = (false, nil)
      default: action = nil
      }
      switch action {
      case .renew, .useAndRenew:
        #expect(!isAsked)
        isAsked = true
        asked.append(now)
        let recent = asked.count { $0 + CredentialMachine.window > now }
        #expect(recent <= CredentialMachine.maximumRenewals)
      case .use(let found):
        #expect(found.version == newest && !refused.contains(found.version))
      case .wait: #expect(isAsked)
      case .fail, nil: break
      }
    }
  }
}
