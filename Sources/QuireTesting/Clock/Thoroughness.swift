#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How many runs random tests take, set by `QUIRE_THOROUGH`.
///
/// If it isn't set, they take the usual number, which is fast enough for each build. With `1` they take as many
/// as are needed for confidence, and with `0` a fiftieth of the usual number, so that many fresh seeds can be
/// tried within a minute.
package enum Thoroughness {
  case brief, usual, full

  /// The setting in the environment of the process.
  package static let current: Thoroughness =
    switch getenv("QUIRE_THOROUGH").map({ String(cString: $0) }) {
    case "0": .brief
    case "1": .full
    default: .usual
    }

  /// Returns the number of runs of a random test, at least one.
  ///
  /// - Parameters:
  ///   - usual: The number for each build.
  ///   - full: The number for confidence; by default ten times the usual one.
  package static func runs(_ usual: Int, full: Int? = nil) -> Int {
    switch current {
    case .brief: max(1, usual / 50)
    case .usual: usual
    case .full: full ?? usual * 10
    }
  }
}
