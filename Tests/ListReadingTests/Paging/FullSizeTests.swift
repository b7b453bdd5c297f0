import Testing

@testable import ListReading

/// Which short pages are the last one.
@Suite struct FullSizeTests {
  struct Case: Sendable {
    /// The numbers of rows of the pages so far, and how many were requested.
    let pages: [Int]
    let asked: Int?
    /// The number of rows of the next page, and what it shows.
    let count: Int
    let isLast: Bool
    let sign: EndSign

    init(_ pages: [Int], asked: Int?, _ count: Int, isLast: Bool, _ sign: EndSign) {
      (self.pages, self.asked, self.count) = (pages, asked, count)
      (self.isLast, self.sign) = (isLast, sign)
    }

    /// What is known after the pages.
    var known: FullSize {
      let first = pages[0]
      var isFull = false
      if let asked { isFull = first >= asked }
      var known = FullSize(rows: first, grounds: isFull ? .confirmed : .assumed)
      for count in pages.dropFirst() { known = known.after(count, asked: asked) }
      return known
    }
  }

  static let cases: [Case] = [
    Case([100], asked: 100, 30, isLast: true, .short),
    Case([100, 100], asked: nil, 30, isLast: true, .short),
    // A usual size is believed for the end, not for a claim.
    Case([20], asked: nil, 13, isLast: true, .silent),
    Case([50], asked: 100, 30, isLast: true, .silent),
    // A filter after the cut makes all pages short.
    Case([97], asked: 100, 95, isLast: false, .silent),
    Case([97], asked: nil, 95, isLast: false, .silent),
    Case([100, 95], asked: 100, 97, isLast: false, .silent),
    Case([97, 95, 96], asked: 100, 40, isLast: false, .silent),
    // A page that is no shorter is never the last one by that.
    Case([100], asked: 100, 100, isLast: false, .short),
    Case([97], asked: 100, 97, isLast: false, .silent),
  ]

  @Test func `a short page ends a list whose pages were full`() {
    for item in Self.cases {
      #expect(item.known.isLast(item.count, asked: item.asked) == item.isLast, "\(item)")
      #expect(item.known.signOfShortPage == item.sign, "\(item)")
    }
  }

  @Test func `servers stop at round numbers of rows`() {
    let limits = [1_000, 2_000, 2_500, 5_000, 10_000, 25_000, 100_000]
    #expect(limits.allSatisfy(PageSizes.isLimit))
    #expect(
      ![0, 10, 100, 500, 999, 1_001, 1_200, 3_000, 10_100].contains(where: PageSizes.isLimit))
  }
}
