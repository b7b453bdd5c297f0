#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The clock and the sleep that the library uses; a test puts its own in their place.
public struct TimeSource: Sendable {
  /// Time since some fixed moment; never goes back.
  public var now: @Sendable () -> Duration
  /// The date, to compare with dates that servers send.
  public var date: @Sendable () -> Date
  /// Waits; throws when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void

  /// Makes a source of time.
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
  package func secondsSince1970() -> Double { date().timeIntervalSince1970 }

  /// The clocks of the system.
  public static let system = TimeSource(
    now: { .nanoseconds(MonotonicClock.now()) },
    date: { Date() },
    // The system's sleep traps on spans that its clock can't count; nobody sees this one end.
    sleep: { try await Task.sleep(for: min($0, .seconds(1 << 32))) })
}

/// Nanoseconds on a clock that never goes back, without the cost of a `Duration`.
enum MonotonicClock {
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
