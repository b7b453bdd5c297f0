import Foundation

/// What a piece of work cost, in seconds.
struct Cost {
  var wall = 0.0
  var cpu = 0.0

  /// What this process has used so far.
  static func now() -> Cost { used(RUSAGE_SELF) }

  /// What processes have used that this one started and that have ended.
  static func ofProcesses() -> Cost { used(RUSAGE_CHILDREN) }

  private static func used(_ who: __rusage_who) -> Cost {
    var usage = rusage()
    getrusage(__rusage_who_t(who.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return Cost(
      wall: Double(DispatchTime.now().uptimeNanoseconds) / 1e9,
      cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime))
  }

  static func - (a: Cost, b: Cost) -> Cost { Cost(wall: a.wall - b.wall, cpu: a.cpu - b.cpu) }
}
