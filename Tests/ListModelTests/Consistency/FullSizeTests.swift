import Testing

@testable import ListModel

/// Which short pages are the last one.
@Suite struct FullSizeTests {
  /// What is known after pages with so many rows.
  private func known(_ counts: [Int], asked: Int?) -> FullSize? {
    counts.dropFirst().reduce(
      counts.first.map { first in
        FullSize(
          rows: first, grounds: asked.map { first >= $0 } ?? false ? .confirmed : .assumed)
      }
    ) { $0?.after($1, asked: asked) }
  }

  @Test(arguments: [
    ([100], 100, 30, true, EndSign.short), ([100, 100], nil, 30, true, .short),
    // A usual size is believed for the end, not for a claim.
    ([20], nil, 13, true, .silent), ([50], 100, 30, true, .silent),
    // A filter after the cut makes all pages short.
    ([97], 100, 95, false, .silent), ([97], nil, 95, false, .silent),
    ([100, 95], 100, 97, false, .silent), ([97, 95, 96], 100, 40, false, .silent),
    // A page that is no shorter is never the last one by that.
    ([100], 100, 100, false, .short), ([97], 100, 97, false, .silent),
  ])
  func `a short page ends a list whose pages were full`(
    counts: [Int], asked: Int?, count: Int, isLast: Bool, sign: EndSign
  ) throws {
    let known = try #require(known(counts, asked: asked))
    #expect(known.isLast(count, asked: asked) == isLast)
    #expect(known.signOfShortPage == sign)
  }

  @Test func `servers stop at round numbers of rows`() {
    let limits = [1_000, 2_000, 2_500, 5_000, 10_000, 25_000, 100_000]
    #expect(limits.allSatisfy(PageSizes.isLimit))
    #expect(
      ![0, 10, 100, 500, 999, 1_001, 1_200, 3_000, 10_100].contains(where: PageSizes.isLimit))
  }
}
