import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct RetryBudgetTests {
  private let host = WebURL.Origin(scheme: "https", host: "a.example", port: 443)

  private func reserve(
    _ budget: inout RetryBudget, at now: Duration, atMost longest: Duration = .seconds(1_000),
    _ host: WebURL.Origin? = nil
  ) -> Duration? {
    budget.reserve(host ?? self.host, perSecond: 10, atMost: longest, now: now)
  }

  @Test func `a second's worth of retries comes at once, further ones wait for their turn`() {
    var budget = RetryBudget()
    for _ in 0..<10 { #expect(reserve(&budget, at: .zero) == .zero) }
    #expect(reserve(&budget, at: .zero) == .milliseconds(100))
    #expect(reserve(&budget, at: .zero) == .milliseconds(200))
    #expect(reserve(&budget, at: .milliseconds(300)) == .zero)
    #expect(reserve(&budget, at: .seconds(60)) == .zero)
  }

  @Test func `a turn that would come too late is not reserved`() {
    var budget = RetryBudget()
    for _ in 0..<10 { _ = reserve(&budget, at: .zero) }
    #expect(reserve(&budget, at: .zero, atMost: .milliseconds(99)) == nil)
    #expect(reserve(&budget, at: .zero, atMost: .milliseconds(100)) == .milliseconds(100))
  }

  @Test func `hosts don't share a budget, and their number is bounded`() {
    var budget = RetryBudget()
    for _ in 0..<10 { _ = reserve(&budget, at: .zero) }
    for port in 1_000..<2_000 {
      let other = WebURL.Origin(scheme: "https", host: "a.example", port: port)
      #expect(reserve(&budget, at: .zero, other) == .zero)
    }
    #expect(budget.count <= RetryBudget.capacity)
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(20)))
  func `any sequence stays within the rate`(_ seeded: SeededGenerator) {
    var random = seeded
    var budget = RetryBudget()
    var now = Duration.zero
    var starts: [Duration] = []
    for _ in 0..<1_000 {
      now += .milliseconds(Int.random(in: 0..<200, using: &random))
      let longest = Duration.milliseconds(Int.random(in: 0..<2_000, using: &random))
      guard let wait = reserve(&budget, at: now, atMost: longest) else { continue }
      #expect(wait >= .zero && wait <= longest)
      starts.append(now + wait)
    }
    for (first, last) in zip(starts, starts.dropFirst(20)) { #expect(last - first >= .seconds(1)) }
  }
}
