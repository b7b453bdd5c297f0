import Foundation
import QuireTesting
import ServerAPI
import Testing

@Suite struct ManualClockRaceTests {
  let clock = ManualClock()

  @Test func `time stands still until a test advances it`() {
    #expect(clock.now.offset == .zero)
    clock.advance(by: .milliseconds(1_500))
    #expect(clock.now.offset == .milliseconds(1_500))
    #expect(ManualClock.Instant().duration(to: clock.now) == .milliseconds(1_500))
  }

  @Test func `the date starts as given and advances with the clock`() {
    let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 1_000))
    clock.advance(by: .milliseconds(2_500))
    #expect(clock.timeSource.secondsSince1970() == 1_002.5)
    #expect(clock.timeSource.now() == .milliseconds(2_500))
  }

  @Test func `a sleeper wakes at its deadline and not before`() async throws {
    let sleeper = Task { try await clock.sleep(for: .seconds(2)) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(1))
    #expect(clock.sleepers == 0)
    try await sleeper.value
  }

  @Test func `a task that is cancelled before it sleeps is never a sleeper`() async {
    let sleeper = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(2))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.slept.isEmpty)
  }

  @Test func `one advance wakes exactly the sleepers that are due`() async throws {
    let tasks = (1...4).map { second in
      Task { [clock] in
        try await clock.sleep(for: .seconds(second))
        return second
      }
    }
    await clock.sleepers(atLeast: 4)
    clock.advance(by: .seconds(3))
    for (index, task) in tasks.prefix(3).enumerated() {
      #expect(try await task.value == index + 1)
    }
    #expect(clock.sleepers == 1)
    tasks[3].cancel()
  }

  @Test func `advancing to the next sleeper returns the duration`() async throws {
    #expect(clock.advanceToNextSleeper() == .zero)
    let sleeper = Task { try await clock.timeSource.sleep(.seconds(7)) }
    await clock.sleepers(atLeast: 1)
    #expect(clock.advanceToNextSleeper() == .seconds(7))
    try await sleeper.value
  }

  @Test func `a clock that skips sleeps advances by them and lists them`() async throws {
    let clock = ManualClock(skipsSleeps: true)
    for seconds in [3, 0, 2] { try await clock.timeSource.sleep(.seconds(seconds)) }
    #expect(clock.now.offset == .seconds(5))
    #expect(clock.slept == [.seconds(3), .zero, .seconds(2)])
    #expect(clock.sleepers == 0)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test func `a clock that skips sleeps skips no timeout, which passes with the sleeps`() async throws {
    let clock = ManualClock(skipsSleeps: true)
    let limit = Task { try await clock.timeSource.sleepToLimit(.seconds(5)) }
    await clock.sleepers(atLeast: 1)
    #expect(clock.now.offset == .zero)
    for _ in 0..<2 { try await clock.timeSource.sleep(.seconds(3)) }
    try await limit.value
    #expect(clock.slept == [.seconds(3), .seconds(3)])
  }

  @Test func `cancelling wakes a sleeper while time stands still`() async {
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(atLeast: 1)
    sleeper.cancel()
    #expect(clock.sleepers == 0)
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test(arguments: [Duration.zero, .seconds(1)])
  func `a task cancelled before it sleeps does not sleep`(span: Duration) async {
    let sleeper = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: span)
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func `waiting for sleepers ends when the task is cancelled`() async {
    let waiting = Task { await clock.sleepers(atLeast: 1) }
    waiting.cancel()
    await waiting.value
  }

  @Test func `sleepers woken and cancelled concurrently end exactly once`() async {
    let ends = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<2_000 {
        group.addTask {
          let sleeper = Task { try await clock.sleep(for: .seconds(1 + number % 3)) }
          async let cancelling: Void = cancelSome(number, sleeper)
          if number % 5 == 0 { clock.advance(by: .milliseconds(7)) }
          let isWoken = (try? await sleeper.value) != nil
          await cancelling
          return isWoken
        }
      }
      // Sleepers that aren't cancelled are woken by this: it ends when all have ended.
      group.addTask {
        clock.advance(by: .seconds(3))
        return true
      }
      var count = 0
      while await group.next() != nil {
        count += 1
        clock.advance(by: .seconds(3))
      }
      return count
    }
    #expect(ends == 2_001)
    #expect(clock.sleepers == 0)
  }

  @concurrent private func cancelSome(
    _ number: Int, _ sleeper: Task<Void, any Error>
  ) async {
    if number % 2 == 0 { sleeper.cancel() }
  }
}
