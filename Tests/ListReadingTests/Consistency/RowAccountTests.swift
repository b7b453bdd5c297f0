import TestSupport
import Testing

@testable import ListReading

/// What the numbers of a server say of changes by others.
@Suite struct RowAccountTests {
  private func page(_ total: Int?, pages: Int? = nil, isOwn: Bool = false) -> PageFacts {
    var facts = PageFacts(next: .end, total: total, pageCount: pages)
    facts.isOwnTotal = isOwn
    return facts
  }

  private func account(_ total: Int?, pages: Int? = nil, isOwn: Bool = false) -> RowAccount {
    var account = RowAccount()
    account.add(page(total, pages: pages, isOwn: isOwn), at: PageKey(.start), isNew: true)
    return account
  }

  @Test func `another total or number of pages differs, one that is not told doesn't`() {
    #expect(
      account(10).numbers.differs(from: page(11)) && account(10).numbers.differs(from: page(9)))
    #expect(
      !account(10).numbers.differs(from: page(10)) && !account(10).numbers.differs(from: page(nil)))
    #expect(account(nil, pages: 3).numbers.differs(from: page(nil, pages: 2)))
    #expect(!account(nil).numbers.differs(from: page(10)))
  }

  @Test func `the number of rows of each page itself says nothing`() {
    #expect(!account(10, isOwn: true).numbers.differs(from: page(4, isOwn: true)))
    #expect(account(10, isOwn: true).numbers.differs(from: page(4)))
  }

  @Test func `what the program changed itself is no difference`() {
    for change in [1, -1] {
      var account = account(10)
      account.expect(change)
      let same = (9...11).filter { !account.numbers.differs(from: page($0)) }
      #expect(same == (change > 0 ? [10, 11] : [9, 10]))
    }
  }

  @Test func `a change of the program that the server has counted is not expected again`() {
    var account = account(10)
    account.expect(1)
    account.add(page(11), at: PageKey(.start), isNew: true)
    #expect(account.numbers.differs(from: page(12)) && !account.numbers.differs(from: page(11)))
    account.expect(-1)
    account.add(page(10), at: PageKey(.start), isNew: true)
    #expect(account.numbers.differs(from: page(9)))
  }

  // MARK: What speaks against an end

  /// Returns the reason why the end after these pages is none.
  private func contradiction(
    _ pages: [PageFacts], rows: Int, size: Int? = nil, empty: Set<Int> = []
  ) -> String? {
    var account = RowAccount(ReceivedRows(count: rows))
    for (index, page) in pages.enumerated() {
      account.add(page, at: PageKey(.start, size: size), isNew: !empty.contains(index))
    }
    return account.contradiction(isWhole: true).map { "\($0)" }
  }

  private func page(
    _ sign: EndSign = .said, total: Int? = nil, isAtLeast: Bool = false, pages: Int? = nil,
    more: [String] = [], denied: [String] = []
  ) -> PageFacts {
    var facts = PageFacts(next: .end, total: total)
    (facts.endSign, facts.isTotalAtLeast) = (sign, isAtLeast)
    facts.reportedPages = pages.map { ReportedPages(pages: $0, rows: 20) }
    (facts.more, facts.denied) = (more, denied)
    return facts
  }

  @Test func `a total above the different rows contradicts any end, also a lower bound`() {
    for sign in [EndSign.said, .counted, .short, .silent, .absent, .refused] {
      #expect(
        contradiction([page(sign, total: 300)], rows: 292)?.contains("8 of 300 rows are missing")
          == true)
      let bound = contradiction([page(sign, total: 300, isAtLeast: true)], rows: 292)
      #expect(bound?.contains("at least 8 of 300 rows are missing") == true)
      #expect(contradiction([page(sign, total: 300)], rows: 300) == nil)
    }
    // Rows were removed meanwhile: the lowest total counts.
    #expect(contradiction([page(total: 300), page(total: 292)], rows: 292) == nil)
  }

  @Test func `a number of pages above those that were read contradicts the end`() {
    let reason = contradiction([page(pages: 3), page(pages: 3)], rows: 40)
    #expect(reason?.contains("reported 3 pages, but the list ended after 2") == true)
    #expect(contradiction([page(pages: 2), page(pages: 2)], rows: 40) == nil)
    // Pages of another size have other numbers.
    #expect(contradiction([page(pages: 3)], rows: 41, size: 60) == nil)
  }

  @Test func `pages after the last one with rows contradict the end`() {
    func reason(_ pagesAfter: [Int], empty: Set<Int> = []) -> String? {
      let pages = pagesAfter.map { after in
        var facts = page()
        facts.pagesAfter = after
        return facts
      }
      return contradiction(pages, rows: 40, empty: empty)
    }
    #expect(reason([2, 1])?.contains("reported 3 pages, but the list ended after 2") == true)
    #expect(reason([2, 1, 0], empty: [2])?.contains("reported 3 pages") == true)
    #expect(reason([1, 0]) == nil)
    #expect(reason([1, 0, -1], empty: [2]) == nil)
    #expect(reason([1, 0, -1], empty: [1, 2])?.contains("reported 2 pages") == true)
    // Pages without rows in the middle are none of the pages that are missing.
    #expect(reason([2, 1, 0], empty: [1]) == nil)
  }

  @Test func `of a number of pages and the link to the last page the higher one counts`() {
    func reason(_ count: Int, _ after: Int) -> String? {
      var facts = page(pages: count)
      facts.pagesAfter = after
      return contradiction([facts], rows: 20)
    }
    #expect(reason(1, 1)?.contains("reported 2 pages, but the list ended after 1") == true)
    #expect(reason(3, 1)?.contains("reported 3 pages") == true)
    #expect(reason(1, 0) == nil)
  }

  @Test func `a page that begins inside the one before it is none of the pages of the server`() {
    func reason(_ rows: Int, startsInside: Bool) -> String? {
      var account = RowAccount(ReceivedRows(count: rows))
      for index in 0..<3 {
        var facts = page(pages: 3)
        facts.startsInside = startsInside && index == 1
        account.add(facts, at: PageKey(.offset(index)), isNew: true)
      }
      return account.contradiction(isWhole: true).map { "\($0)" }
    }
    #expect(reason(40, startsInside: true)?.contains("reported 3 pages of 20 rows") == true)
    #expect(reason(41, startsInside: true) == nil && reason(40, startsInside: false) == nil)
  }

  @Test func `pages of several sizes are compared by their rows`() {
    let overlap = PageKey(.offset(19))
    func reason(_ rows: Int) -> String? {
      var account = RowAccount(ReceivedRows(count: rows))
      account.add(page(pages: 3), at: PageKey(.offset(0)), isNew: true)
      var key = overlap
      key.overlap = 1
      account.add(page(pages: 3), at: key, isNew: true)
      return account.contradiction(isWhole: true).map { "\($0)" }
    }
    #expect(reason(40)?.contains("reported 3 pages of 20 rows, but sent 40 different rows") == true)
    #expect(reason(41) == nil)
  }

  @Test func `each total of a response is believed`() {
    var facts = page(total: 20)
    facts.totals = ["total": ReportedTotal(rows: 20), "total_count": ReportedTotal(rows: 30)]
    #expect(contradiction([facts], rows: 20)?.contains("10 of 30 rows are missing") == true)
    #expect(contradiction([facts], rows: 30) == nil)
    #expect(contradiction([facts, page(total: 20)], rows: 20) != nil)
  }

  @Test func `a page without new rows takes back what was said only if it says so`() {
    let more = page(more: ["there is more"])
    #expect(contradiction([more, page(.silent)], rows: 20, empty: [1]) != nil)
    #expect(contradiction([more, page(.refused)], rows: 20, empty: [1]) != nil)
    #expect(contradiction([more, page(.said)], rows: 20, empty: [1]) != nil)
    #expect(contradiction([more, page(denied: ["another"])], rows: 20, empty: [1]) != nil)
    #expect(contradiction([more, page(denied: ["there is more"])], rows: 20, empty: [1]) == nil)
    let both = page(more: ["there is more", "another"])
    let reason = contradiction([both, page(denied: ["there is more"])], rows: 20, empty: [1])
    #expect(reason?.contains("another") == true)
    #expect(contradiction([more, page(.silent)], rows: 20) == nil)
  }

  @Test func `a refusal after a round number of rows is a limit`() {
    let reason = contradiction([page(.refused)], rows: 10_000)
    #expect(reason?.contains("stops at 10,000 rows; narrow the request") == true)
    #expect(contradiction([page(.refused)], rows: 9_999) == nil)
    #expect(contradiction([page(.absent)], rows: 10_000) == nil)
    #expect(contradiction([page(.silent)], rows: 10_000) == nil)
  }

  @Test func `a total is met by as many rows, unless it is a bound or a limit`() {
    func isMet(_ page: PageFacts, rows: Int) -> Bool {
      var account = RowAccount(ReceivedRows(count: rows))
      account.add(page, at: PageKey(.start), isNew: true)
      return account.meetsTotal
    }
    #expect(isMet(page(.silent, total: 300), rows: 300))
    #expect(!isMet(page(.silent, total: 300), rows: 299) && !isMet(page(.silent), rows: 300))
    #expect(!isMet(page(.silent, total: 300, isAtLeast: true), rows: 300))
    #expect(!isMet(page(.absent, total: 1_000), rows: 1_000))
    #expect(isMet(page(.silent, total: 1_000), rows: 1_000))
    // A total below the rows counts something else.
    #expect(!isMet(page(.silent, total: 2), rows: 4))
    var account = RowAccount(ReceivedRows(count: 10))
    for total in [10, 9] {
      account.add(page(.silent, total: total), at: PageKey(.start), isNew: true)
    }
    #expect(account.meetsTotal)
    account.expect(1)
    account.recount(ReceivedRows(count: 11))
    #expect(account.meetsTotal)
    account.recount(ReceivedRows(count: 12))
    #expect(!account.meetsTotal)
  }
}
