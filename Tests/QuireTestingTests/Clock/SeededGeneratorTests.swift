import QuireTesting
import ServerAPI
import Support
import Testing

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

  @Test func `the description is the setting that repeats a run`() {
    #expect("\(SeededGenerator(seed: 42))" == "QUIRE_SEED=42")
  }

  @Test func `the seed is fixed, from the environment or fresh, else an error`()
    throws
  {
    let variable = "QUIRE_SEED_OF_THIS_TEST"
    unsetenv(variable)
    #expect(try SeededGenerator.fromEnvironment(variable).seed == 0)
    setenv(variable, "42", 1)
    #expect(try SeededGenerator.fromEnvironment(variable).seed == 42)
    setenv(variable, "fresh", 1)
    let fresh = try SeededGenerator.fromEnvironment(variable).seed
    #expect(fresh != 0)
    #expect(try SeededGenerator.fromEnvironment(variable).seed == fresh)
    setenv(variable, "forty", 1)
    let error = #expect(throws: RequestError.self) {
      try SeededGenerator.fromEnvironment(variable)
    }
    guard case .invalidRequest(let defect) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(defect.problem.contains("“forty”"))
  }

  @Test func `runs start with failed seeds, then the environment's seed`()
    throws
  {
    let first = try SeededGenerator.fromEnvironment().seed
    #expect(
      try SeededGenerator.runs(2, failed: [7]).map(\.seed) == [7, first, first &+ 1])
    #expect(try SeededGenerator.runs().map(\.seed) == [first])
  }
}
