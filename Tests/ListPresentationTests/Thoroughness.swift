import Foundation

/// How long random tests go on: for a while, or with `QUIRE_THOROUGH=1` until one can be sure.
enum Thoroughness {
  static let isFull = ProcessInfo.processInfo.environment["QUIRE_THOROUGH"] == "1"
  static let sequences = isFull ? 100_000 : 400
}
