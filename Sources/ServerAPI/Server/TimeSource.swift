#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where the library takes time from, so that a test can hold it in its hand.
public struct TimeSource: Sendable {
  /// Time since some fixed moment; never goes back.
  public var now: @Sendable () -> Duration
  /// Seconds since 1970, for dates that servers send.
  public var secondsSince1970: @Sendable () -> Double
  /// Waits; throws when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void

  /// Makes a source of time.
  public init(
    now: @escaping @Sendable () -> Duration,
    secondsSince1970: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.secondsSince1970 = secondsSince1970
    self.sleep = sleep
  }
}

extension TimeSource {
  /// The clocks of the system.
  public static let system = TimeSource(
    now: { .nanoseconds(MonotonicClock.now()) },
    secondsSince1970: {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    },
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
