public import ServerAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A clock that only moves when a test advances it, so that no test waits for real time.
///
/// ```swift
/// let clock = ManualClock()
/// let server = Server("https://test", transport: transport) { $0.time = clock.timeSource }
/// async let response = server.send(Call("/busy"))   // gets a 503 and waits to retry
/// await clock.sleepers(atLeast: 1)                  // it waits now
/// clock.advanceToNextSleeper()                      // and retries
/// ```
///
/// Wait for ``sleepers(atLeast:)`` before you advance, so that the order is deterministic. One advance moves
/// directly to its end: a task that wakes and sleeps again counts from there. Cancelling a sleeping task wakes
/// it at once with `CancellationError`; a cancelled task doesn't count as a sleeper.
public final class ManualClock: Clock, Sendable {
  /// A moment of a ``ManualClock``: the time since its creation.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// Creates a moment with the given time since the clock's creation.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the moment that is later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration from this moment to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns whether one moment is before the other.
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let face: Awaitable<ClockState>
  private let start: Date

  /// Creates a clock that stands still.
  ///
  /// - Parameters:
  ///   - start: The date at the creation of the clock. The default is a day in November 2023.
  ///   - skipsSleeps: Whether a sleep ends at once and advances the clock by its length, for a test that
  ///     only checks the sleeps. Timeouts are not skipped; they pass when the sleeps have taken as long. The default
  ///     is `false`.
  public init(
    startingAt start: Date = Date(timeIntervalSince1970: 1_700_000_000), skipsSleeps: Bool = false
  ) {
    self.start = start
    face = Awaitable(ClockState(skipsSleeps: skipsSleeps))
  }

  /// The current moment.
  public var now: Instant { Instant(offset: face.value.now) }

  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The current date; it advances with ``now``.
  public var date: Date { start + now.offset / .seconds(1) }
  package var secondsSince1970: Double { date.timeIntervalSince1970 }

  /// The number of tasks that sleep on the clock.
  public var sleepers: Int { face.value.sleepers.count }

  /// The duration of each sleep, in the order in which they started, without the timeouts of a server.
  public var slept: [Duration] { face.value.slept }

  /// Advances the clock and wakes every sleeper that is due. They continue concurrently.
  public func advance(by duration: Duration) { face.update { $0.advance(by: duration) } }

  /// Advances the clock to the moment the next sleeper is due, and returns the duration. Does nothing if there
  /// is none.
  @discardableResult
  public func advanceToNextSleeper() -> Duration {
    face.update { face in
      let step = face.untilNext ?? .zero
      face.advance(by: step)
      return step
    }
  }

  /// Waits until at least `count` tasks sleep on the clock, or until the calling task is cancelled.
  public func sleepers(atLeast count: Int) async {
    try? await face.wait { $0.sleepers.count >= count }
  }

  /// Sleeps until a test has advanced the clock to `deadline`; `tolerance` is ignored.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep(until: deadline, isLimit: false)
  }

  private func sleep(until deadline: Instant, isLimit: Bool) async throws {
    let id = face.update { $0.newID() }
    // The task that cancels may count the sleepers at once, so the handler removes the sleeper. It is installed first.
    try await withTaskCancellationHandler {
      let sleeps = face.update {
        !Task.isCancelled && $0.register(id, until: deadline.offset, isLimit: isLimit)
      }
      guard sleeps else { return try Task.checkCancellation() }
      defer { face.update { $0.remove(id) } }
      try await face.wait { $0.now >= deadline.offset }
    } onCancel: {
      face.update { $0.remove(id) }
    }
  }

  /// The clock as a time source for ``Quire/Server`` and the transports of this module.
  public var timeSource: TimeSource {
    var source = TimeSource(
      now: { self.now.offset },
      date: { self.date },
      sleep: { try await self.sleep(for: $0) })
    source.limitSleep = { try await self.sleep(until: self.now.advanced(by: $0), isLimit: true) }
    return source
  }
}

/// The state of a manual clock: its time and its sleepers.
///
/// It only decides; ``ManualClock`` acts on it.
struct ClockState: Hashable, Sendable {
  private(set) var now = Duration.zero
  private(set) var sleepers: [Int: Duration] = [:]
  /// The duration of each sleep, in the order in which they started, without limits.
  private(set) var slept: [Duration] = []
  private var nextID = 0
  private let skipsSleeps: Bool

  init(skipsSleeps: Bool = false) { self.skipsSleeps = skipsSleeps }

  /// Returns an id for a sleeper.
  mutating func newID() -> Int {
    nextID += 1
    return nextID
  }

  /// Adds a sleeper; returns `false` if its deadline has already passed.
  mutating func register(_ id: Int, until deadline: Duration, isLimit: Bool = false) -> Bool {
    if !isLimit { slept.append(deadline - now) }
    guard deadline > now else { return false }
    if skipsSleeps, !isLimit {
      advance(by: deadline - now)
      return false
    }
    sleepers[id] = deadline
    return true
  }

  /// Removes a sleeper that no longer waits.
  mutating func remove(_ id: Int) { sleepers[id] = nil }

  /// Advances the time and removes the sleepers that are due.
  mutating func advance(by duration: Duration) {
    precondition(duration >= .zero, "a clock can't go backwards: \(duration)")
    now += duration
    let now = now
    sleepers = sleepers.filter { $0.value > now }
  }

  /// The duration until the next sleeper is due.
  var untilNext: Duration? { sleepers.values.min().map { $0 - now } }
}
