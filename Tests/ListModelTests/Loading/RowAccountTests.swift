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
}
