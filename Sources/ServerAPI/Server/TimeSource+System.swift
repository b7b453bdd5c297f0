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
    sleep: { try await Task.sleep(for: $0) })
}
