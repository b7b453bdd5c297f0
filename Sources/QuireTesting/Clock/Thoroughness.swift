#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How long random tests go on, which `QUIRE_THOROUGH` says.
///
/// Without it they take the usual number of runs, which is quick enough for each build. With `1` they take
/// as many as are needed to be sure, and with `0` a fiftieth of the usual ones, so that many fresh seeds
/// can be tried within a minute.
package enum Thoroughness {
  case brief, usual, full

  /// What the environment of the process says.
  package static let current: Thoroughness =
    switch getenv("QUIRE_THOROUGH").map({ String(cString: $0) }) {
    case "0": .brief
    case "1": .full
    default: .usual
    }

  /// Returns how many runs a random test takes, one at least.
  ///
  /// - Parameters:
  ///   - usual: The number for each build.
  ///   - full: The number to be sure; ten times the usual one where none is given.
  package static func runs(_ usual: Int, full: Int? = nil) -> Int {
    switch current {
    case .brief: max(1, usual / 50)
    case .usual: usual
    case .full: full ?? usual * 10
    }
  }
}
