import QuireTesting
import ServerAPI
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct SeededGeneratorTests {
  @Test func `the numbers are those of SplitMix64`() {
    var random = SeededGenerator(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func `unit numbers stay below one and repeat with the seed`() {
    let (a, b) = (SeededGenerator.unitInterval(seed: 9), SeededGenerator.unitInterval(seed: 9))
    let numbers = (0..<1_000).map { _ in a() }
    #expect(numbers == (0..<1_000).map { _ in b() })
    #expect(numbers.allSatisfy { (0..<1).contains($0) })
    #expect(abs(numbers.reduce(0, +) / 1_000 - 0.5) < 0.05)
  }

  @Test func `the description is what repeats a run`() {
    #expect("\(SeededGenerator(seed: 42))" == "QUIRE_SEED=42")
  }

  @Test func `the seed comes from the environment, and nonsense there is an error`() throws {
    setenv("QUIRE_SEED_OF_THIS_TEST", "42", 1)
    #expect(try SeededGenerator.fromEnvironment("QUIRE_SEED_OF_THIS_TEST").seed == 42)
    setenv("QUIRE_SEED_OF_THIS_TEST", "forty", 1)
    let error = #expect(throws: RequestError.self) {
      try SeededGenerator.fromEnvironment("QUIRE_SEED_OF_THIS_TEST")
    }
    guard case .invalidRequest(let defect) = error?.kind else { return #expect(Bool(false)) }
    #expect(defect.problem.contains("“forty”"))
  }
}
