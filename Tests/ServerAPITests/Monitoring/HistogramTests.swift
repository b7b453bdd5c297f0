import QuireTesting
import Testing

@testable import ServerAPI

@Suite struct HistogramTests {
  @Test(arguments: [0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1])
  func `a percentile is within 1 of 32 of the exact one`(fraction: Double) throws {
    var histogram = MetricsMonitor.Histogram()
    var exact: [Int] = []
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(5_000) {
      // Distributed over all magnitudes from a microsecond to a minute.
      let value =
        Int.random(in: 0..<1 << 31, using: &random) >> Int.random(in: 0..<26, using: &random)
      exact.append(value)
      histogram.record(.microseconds(value))
    }
    exact.sort()
    let truth = exact[max(0, Int((fraction * Double(exact.count)).rounded(.up)) - 1)]
    let found = try #require(histogram.percentile(fraction))
    let error = found - .microseconds(truth)
    #expect(max(error, .zero - error) <= .microseconds(truth) / 32 + .microseconds(1), "\(random)")
  }

  @Test func `small durations are exact and the longest one is kept`() {
    var histogram = MetricsMonitor.Histogram()
    for value in 1...20 { histogram.record(.microseconds(value)) }
    histogram.record(.seconds(100_000))
    histogram.record(.seconds(-1))
    #expect(histogram.percentile(0.5) == .microseconds(10))
    #expect(histogram.percentile(0) == .zero)
    #expect(histogram.maximum == .seconds(100_000))
    #expect(histogram.count == 22)
  }

  @Test func `an empty histogram has no percentile`() {
    #expect(MetricsMonitor.Histogram().percentile(0.5) == nil)
  }

  @Test func `merged halves equal the whole`() {
    var (whole, even, odd) = (
      MetricsMonitor.Histogram(), MetricsMonitor.Histogram(), MetricsMonitor.Histogram()
    )
    for value in 0..<1_000 {
      whole.record(.microseconds(value * 37))
      if value % 2 == 0 {
        even.record(.microseconds(value * 37))
      } else {
        odd.record(.microseconds(value * 37))
      }
    }
    even.merge(odd)
    #expect(even == whole)
    even.merge(MetricsMonitor.Histogram())
    #expect(even == whole)
    var empty = MetricsMonitor.Histogram()
    empty.merge(whole)
    #expect(empty == whole)
  }
}
