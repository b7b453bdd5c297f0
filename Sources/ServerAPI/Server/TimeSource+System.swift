#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension TimeSource {
  /// The clocks of the system.
  public static let system = TimeSource(
    now: { .nanoseconds(MonotonicClock.now()) },
    secondsSince1970: { Double(time(nil)) },
    // The system's sleep traps on spans that its clock can't count; nobody sees this one end.
    sleep: { try await Task.sleep(for: min($0, .seconds(1 << 32))) })
}
