#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension TimeSource {
  /// The clocks of the system.
  public static let system = TimeSource(
    now: { .nanoseconds(clock(CLOCK_MONOTONIC)) },
    secondsSince1970: { Double(clock(CLOCK_REALTIME)) / 1e9 },
    sleep: { try await Task.sleep(for: $0) })

  private static func clock(_ id: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(id, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
