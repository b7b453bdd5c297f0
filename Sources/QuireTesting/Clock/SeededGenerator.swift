public import ServerAPI
internal import Support

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Random numbers that come out the same for the same seed on every machine (SplitMix64).
///
/// ```swift
/// var random = try SeededGenerator.fromEnvironment()
/// let cut = Int.random(in: 0..<100, using: &random)
/// #expect(survives(cut), "\(random)")        // a failure says QUIRE_SEED=…: run it with that again
/// ```
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
  /// What the numbers follow from.
  public let seed: UInt64
  private var state: UInt64

  /// Starts a row of numbers.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Returns a generator with the seed in an environment variable.
  ///
  /// Where the variable is not set the seed is 0, so that a test gives the same result each time. With
  /// `QUIRE_SEED=fresh` the seed is a new one in each process. Throws when the variable is set to
  /// anything else that is not a whole number.
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

  /// One for the process, so that every failure of a run names the same seed.
  private static let freshSeed = UInt64.random(in: .min ... .max)

  /// Returns the generators for the runs of a random test: those that failed once, and then `count` with
  /// the seed of the environment and the seeds after it.
  ///
  /// `QUIRE_SEED` with the seed of any run makes that run the first of the new ones.
  package static func runs(
    _ count: Int = 1, failed: [UInt64] = []
  ) throws(RequestError) -> [SeededGenerator] {
    let first = try fromEnvironment().seed
    let new = (0..<UInt64(max(0, count))).map { first &+ $0 }
    return (failed + new).map(SeededGenerator.init(seed:))
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The next number in `0 ..< 1`.
  public mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A source of numbers in `0 ..< 1` for ``Quire/Server/Configuration/random``; calls from several tasks
  /// take turns.
  public static func unitInterval(seed: UInt64) -> @Sendable () -> Double {
    let shared = SharedGenerator(SeededGenerator(seed: seed))
    return { shared.nextUnit() }
  }
}

extension SeededGenerator: CustomStringConvertible {
  /// The assignment that repeats a run, such as `QUIRE_SEED=42`.
  public var description: String { "QUIRE_SEED=\(seed)" }
}

/// One generator for several tasks.
final class SharedGenerator: Sendable {
  private let generator: Lock<SeededGenerator>

  init(_ generator: SeededGenerator) { self.generator = Lock(generator) }

  func nextUnit() -> Double { generator.withLock { $0.nextUnit() } }
}
