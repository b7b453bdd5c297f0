internal import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The clocks and the sleep function of the library; tests replace them.
public struct TimeSource: Sendable {
  /// Returns the monotonic time since a fixed moment.
  public var now: @Sendable () -> Duration
  /// Returns the current date, for comparison with the dates of servers.
  public var date: @Sendable () -> Date
  /// Waits; throws if the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// Waits for the end of a limit, where a clock that skips sleeps must not skip it: what is limited would always be
  /// late. Without it, ``sleep`` does.
  package var limitSleep: (@Sendable (Duration) async throws -> Void)?

  /// Creates a time source.
  public init(
    now: @escaping @Sendable () -> Duration,
    date: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.date = date
    self.sleep = sleep
  }
}

extension TimeSource {
  /// Waits for the end of a limit, as a timeout, unless what it limits ends before and cancels the task.
  package func sleepToLimit(_ duration: Duration) async throws { try await (limitSleep ?? sleep)(duration) }

  package func secondsSince1970() -> Double { date().timeIntervalSince1970 }

  /// The clocks of the system.
  public static let system = TimeSource(
    now: { .nanoseconds(MonotonicClock.now()) },
    date: { Date() },
    // The sleep of the system traps on durations that its clock can't represent; 2³² seconds are enough.
    sleep: { try await Task.sleep(for: min($0, .seconds(1 << 32 as Int64))) })
}

/// A monotonic clock in nanoseconds, without the cost of a `Duration`.
enum MonotonicClock {
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
