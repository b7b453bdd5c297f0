import QuireTesting
import Testing

@testable import ServerAPI

@Suite(.timeLimit(.minutes(1))) struct MemoryBudgetTests {
  private let budget = MemoryBudget(1_000)
  private let clock = ManualClock()

  /// Starts a task that waits beside others, and returns it once it does.
  private func waiting(beside others: Int = 0) async -> Task<Void, Never> {
    let task = Task { [budget, clock] in
      await budget.waitUntilHalfIsFree(atMost: .seconds(1), clock.timeSource)
    }
    await clock.sleepers(atLeast: others + 1)
    return task
  }

  @Test func `a share takes what is missing, and gives it back at its end`() {
    var share: MemoryBudget.Share? = budget.share()
    #expect(share?.grow(to: 900) == true && share?.grow(to: 800) == true)
    let other = budget.share()
    #expect(!other.grow(to: 200) && other.grow(to: 90))
    share = nil
    #expect(other.grow(to: 1_000) && !other.grow(to: 1_001))
  }

  @Test func `no task waits while half is free`() async {
    let share = budget.share()
    #expect(share.grow(to: 400))
    await budget.waitUntilHalfIsFree(atMost: .seconds(1), clock.timeSource)
    #expect(clock.now.offset == .zero)
  }

  @Test func `a share that ends wakes all tasks that wait for half`() async {
    var share: MemoryBudget.Share? = budget.share()
    #expect(share?.grow(to: 501) == true)
    let tasks = [await waiting(), await waiting(beside: 1)]
    share = nil
    for task in tasks { await task.value }
    #expect(clock.now.offset == .zero && budget.share().grow(to: 1_000))
  }

  @Test func `the wait ends after its longest time, and where its task is cancelled`() async {
    let share = budget.share()
    #expect(share.grow(to: 501))
    let late = await waiting()
    clock.advance(by: .seconds(1))
    await late.value
    let cancelled = await waiting()
    cancelled.cancel()
    await cancelled.value
    #expect(clock.now.offset == .seconds(1))
    withExtendedLifetime(share) {}
  }
}
