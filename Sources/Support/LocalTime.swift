#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The time zone of this machine, or of `TZ` in the environment.
package enum LocalTime {
  /// Returns the offset of local time from UTC, in seconds, at a time in seconds since 1970; now by default.
  package static func offset(at moment: Int? = nil) -> Int {
    var moment = time_t(moment ?? time(nil))
    var local = tm()
    guard localtime_r(&moment, &local) != nil else { return 0 }
    return local.tm_gmtoff
  }
}
