import Testing

@testable import ListModel

/// What the numbers of a server say of changes by others.
@Suite struct RowAccountTests {
  private func page(_ total: Int?, pages: Int? = nil, isOwn: Bool = false) -> PageFacts {
    var facts = PageFacts(next: .end, total: total, pageCount: pages)
    facts.isOwnTotal = isOwn
    return facts
  }

  private func account(_ total: Int?, pages: Int? = nil, isOwn: Bool = false) -> RowAccount {
    var account = RowAccount()
    account.add(page(total, pages: pages, isOwn: isOwn), at: PageKey(.start), isEmpty: false)
    return account
  }

  @Test func `another total or number of pages differs, one that is not told doesn't`() {
    #expect(account(10).differs(from: page(11)) && account(10).differs(from: page(9)))
    #expect(!account(10).differs(from: page(10)) && !account(10).differs(from: page(nil)))
    #expect(account(nil, pages: 3).differs(from: page(nil, pages: 2)))
    #expect(!account(nil).differs(from: page(10)))
  }

  @Test func `the number of rows of each page itself says nothing`() {
    #expect(!account(10, isOwn: true).differs(from: page(4, isOwn: true)))
    #expect(account(10, isOwn: true).differs(from: page(4)))
  }

  @Test func `what the program changed itself is no difference`() {
    for change in [1, -1] {
      var account = account(10)
      account.expect(change)
      let same = (9...11).filter { !account.differs(from: page($0)) }
      #expect(same == (change > 0 ? [10, 11] : [9, 10]))
    }
  }

  @Test func `a change of the program that the server has counted is not expected again`() {
    var account = account(10)
    account.expect(1)
    account.add(page(11), at: PageKey(.start), isEmpty: false)
    #expect(account.differs(from: page(12)) && !account.differs(from: page(11)))
    account.expect(-1)
    account.add(page(10), at: PageKey(.start), isEmpty: false)
    #expect(account.differs(from: page(9)))
  }

  // MARK: What speaks against an end

  /// Returns the reason why the end after these pages is none.
  private func contradiction(
    _ pages: [PageFacts], rows: Int, size: Int? = nil, empty: Set<Int> = []
  ) -> String? {
    var account = RowAccount(ReceivedRows(count: rows))
    for (index, page) in pages.enumerated() {
      account.add(page, at: PageKey(.start, size: size), isEmpty: empty.contains(index))
    }
    return account.contradiction(isWhole: true).map { "\($0)" }
  }

  private func page(
    _ sign: EndSign = .told, total: Int? = nil, isAtLeast: Bool = false, pages: Int? = nil,
    more: String? = nil
  ) -> PageFacts {
    var facts = PageFacts(next: .end, total: total)
    (facts.endSign, facts.isTotalAtLeast) = (sign, isAtLeast)
    (facts.reportedPages, facts.more) = (pages, more)
    return facts
  }

  @Test func `a total above the different rows contradicts any end, also a lower bound`() {
    for sign in [EndSign.told, .counted, .short, .silent, .absent, .refused] {
      #expect(contradiction([page(sign, total: 300)], rows: 292)?.contains("300 rows") == true)
      let bound = contradiction([page(sign, total: 300, isAtLeast: true)], rows: 292)
      #expect(bound?.contains("at least 300 rows") == true)
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
    #expect(contradiction([page(pages: 3)], rows: 40, size: 60) == nil)
  }

  @Test func `a page without rows takes back what was said only if it says that the list ends`() {
    let more = page(more: "there is more")
    #expect(contradiction([more, page(.silent)], rows: 20, empty: [1]) != nil)
    #expect(contradiction([more, page(.refused)], rows: 20, empty: [1]) != nil)
    #expect(contradiction([more, page(.told)], rows: 20, empty: [1]) == nil)
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
      account.add(page, at: PageKey(.start), isEmpty: false)
      return account.meetsTotal
    }
    #expect(isMet(page(.silent, total: 300), rows: 300))
    #expect(!isMet(page(.silent, total: 300), rows: 299) && !isMet(page(.silent), rows: 300))
    #expect(!isMet(page(.silent, total: 300, isAtLeast: true), rows: 300))
    #expect(!isMet(page(.absent, total: 1_000), rows: 1_000))
    #expect(isMet(page(.silent, total: 1_000), rows: 1_000))
  }
}
