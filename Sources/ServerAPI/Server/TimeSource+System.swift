#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
