public import ServerAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A clock that only moves when a test moves it, so that nothing in a test waits for real time.
///
/// ```swift
/// let clock = ManualClock()
/// let server = Server("https://test", transport: transport) { $0.time = clock.timeSource }
/// async let response = server.send(Call("/busy"))   // answered with 503, waits to try again
/// await clock.sleepers(atLeast: 1)                  // it waits now
/// clock.advanceToNextSleeper()                      // and goes on
/// ```
///
/// Wait for ``sleepers(atLeast:)`` before you advance, then the order of things is chosen rather
/// than hoped for. One advance goes straight to its end: what wakes up and sleeps again counts from
/// there. Cancelling a task that sleeps wakes it at once with `CancellationError`.
public final class ManualClock: Clock, Sendable {
  /// A moment of a ``ManualClock``: the time since it was made.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public var offset: Duration

    /// Makes a moment that long after the clock was made.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The moment that much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How much later `other` is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one moment is before the other.
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let face: Awaitable<ClockState>
  private let start: Date

  /// Makes a clock that stands still.
  ///
  /// - Parameters:
  ///   - start: The date at that moment. The default is a day in November 2023.
  ///   - skipsSleeps: Whether a sleep ends at once and moves the time on by its length, for a test that
  ///     only checks how long was waited. The default is no.
  public init(
    startingAt start: Date = Date(timeIntervalSince1970: 1_700_000_000), skipsSleeps: Bool = false
  ) {
    self.start = start
    face = Awaitable(ClockState(skipsSleeps: skipsSleeps))
  }

  /// The moment the clock shows.
  public var now: Instant { Instant(offset: face.value.now) }

  /// The clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The date; it moves with ``now``.
  public var date: Date { start + now.offset / .seconds(1) }
  package var secondsSince1970: Double { date.timeIntervalSince1970 }

  /// How many tasks sleep on the clock now.
  public var sleepers: Int { face.value.sleepers.count }

  /// How long each sleep was to take, in the order in which they began.
  public var slept: [Duration] { face.value.slept }

  /// Moves the time on and wakes every sleeper that is due; those of one moment and of several go on
  /// side by side.
  public func advance(by duration: Duration) { face.update { $0.advance(by: duration) } }

  /// Moves the time on to the moment the next sleeper is due and returns by how much that was;
  /// nothing happens when nobody sleeps.
  @discardableResult
  public func advanceToNextSleeper() -> Duration {
    face.update { face in
      let step = face.untilNext ?? .zero
      face.advance(by: step)
      return step
    }
  }

  /// Returns when at least `count` tasks sleep on the clock, or when the calling task is cancelled.
  public func sleepers(atLeast count: Int) async {
    try? await face.wait { $0.sleepers.count >= count }
  }

  /// Sleeps until a test has moved the clock to `deadline`; `tolerance` has no meaning here.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    guard let id = face.update({ $0.register(until: deadline.offset) }) else {
      return try Task.checkCancellation()
    }
    defer { face.update { $0.remove(id) } }
    try await face.wait { $0.now >= deadline.offset }
  }

  /// The clock in the form that ``Quire/Server`` and the transports of this module take.
  public var timeSource: TimeSource {
    TimeSource(
      now: { self.now.offset },
      date: { self.date },
      sleep: { try await self.sleep(for: $0) })
  }
}

/// What a hand-moved clock knows: its time and who sleeps until when.
///
/// It decides and does nothing else; ``ManualClock`` carries out what it says.
struct ClockState: Hashable, Sendable {
  private(set) var now = Duration.zero
  private(set) var sleepers: [Int: Duration] = [:]
  /// How long each sleep was to take, in the order in which they began.
  private(set) var slept: [Duration] = []
  private var nextID = 0
  private let skipsSleeps: Bool

  init(skipsSleeps: Bool = false) { self.skipsSleeps = skipsSleeps }

  /// Notes a sleeper; `nil` when its moment has come already.
  mutating func register(until deadline: Duration) -> Int? {
    slept.append(deadline - now)
    guard deadline > now else { return nil }
    if skipsSleeps {
      advance(by: deadline - now)
      return nil
    }
    nextID += 1
    sleepers[nextID] = deadline
    return nextID
  }

  /// Forgets a sleeper that no longer waits.
  mutating func remove(_ id: Int) { sleepers[id] = nil }

  /// Moves the time on; sleepers that are due are no longer counted.
  mutating func advance(by duration: Duration) {
    precondition(duration >= .zero, "a clock can't go back: \(duration)")
    now += duration
    let now = now
    sleepers = sleepers.filter { $0.value > now }
  }

  /// How long until the next sleeper is due.
  var untilNext: Duration? { sleepers.values.min().map { $0 - now } }
}
