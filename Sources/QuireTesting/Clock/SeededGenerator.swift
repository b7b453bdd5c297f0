public import ServerAPI
internal import Support

/// A random number generator whose numbers depend only on the seed, on every machine (SplitMix64).
///
/// ```swift
/// var random = try SeededGenerator.fromEnvironment()
/// let cut = Int.random(in: 0..<100, using: &random)
/// #expect(survives(cut), "\(random)")        // a failure prints QUIRE_SEED=…, which repeats it
/// ```
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
  /// The seed.
  public let seed: UInt64
  private var state: UInt64

  /// Creates a generator with a seed.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Returns a generator with the seed in an environment variable.
  ///
  /// If the variable isn't set, the seed is 0, so that a test gives the same result each time. With
  /// `QUIRE_SEED=fresh`, each process has a new seed. Throws if the variable is set to anything else that
  /// isn't a whole number.
  public static func fromEnvironment(
    _ variable: String = "QUIRE_SEED"
  ) throws(RequestError) -> SeededGenerator {
    guard let value = getenv(variable) else { return SeededGenerator(seed: 0) }
    let text = String(cString: value)
    if text == "fresh" { return SeededGenerator(seed: freshSeed) }
    guard let seed = UInt64(text) else {
      let problem =
        "\(variable) is “\(text)”, expected “fresh” or a whole number from 0 to \(UInt64.max)"
      throw RequestError(.invalidRequest(.init(.configuration, problem)))
    }
    return SeededGenerator(seed: seed)
  }

  /// One seed per process, so that all failures of a run print the same one.
  private static let freshSeed = UInt64.random(in: .min ... .max)

  /// Returns the generators for the runs of a random test: those with seeds that failed before, then `count`
  /// with the seed of the environment and the seeds after it.
  ///
  /// If `QUIRE_SEED` is the seed of an earlier run, that run is the first of the new ones.
  package static func runs(
    _ count: Int = 1, failed: [UInt64] = []
  ) throws(RequestError) -> [SeededGenerator] {
    let first = try fromEnvironment().seed
    let new = (0..<UInt64(max(0, count))).map { first &+ $0 }
    return (failed + new).map(SeededGenerator.init(seed:))
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns the next number in `0 ..< 1`.
  public mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a source of numbers in `0 ..< 1` for ``Quire/Server/Configuration/random``. Calls from several
  /// tasks are serialized.
  public static func unitInterval(seed: UInt64) -> @Sendable () -> Double {
    let shared = SharedGenerator(SeededGenerator(seed: seed))
    return { shared.nextUnit() }
  }
}

extension SeededGenerator: CustomStringConvertible {
  /// The assignment that repeats a run, such as `QUIRE_SEED=42`.
  public var description: String { "QUIRE_SEED=\(seed)" }
}

/// A generator that several tasks share.
final class SharedGenerator: Sendable {
  private let generator: Lock<SeededGenerator>

  init(_ generator: SeededGenerator) { self.generator = Lock(generator) }

  func nextUnit() -> Double { generator.withLock { $0.nextUnit() } }
}

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
