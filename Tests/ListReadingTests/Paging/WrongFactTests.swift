import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct WrongFactTests {
  private let full = JSONAny.array(Array(repeating: ["id": 1], count: 20))

  private func facts(
    _ paging: Paging, at key: PageKey? = nil, _ fact: JSONAny, items: JSONAny? = nil
  ) throws -> PageFacts {
    paging.strategy.facts(
      in: try pageResponse(paging, at: key, ["items": items ?? full, "fact": fact]))
  }

  static let numbered: [Paging] = [
    .pageNumber(size: 20, endsBy: .total("fact")),
    .pageNumber(size: 20, endsBy: .pageCount("fact")),
    .pageNumber(size: 20, endsBy: .lastPage("fact")), .offset(limit: 20, endsBy: .total("fact")),
  ]

  @Test(arguments: numbered, [JSONAny.string("many"), -1, true, [:], [1], "-3", "1 2", 1e300])
  func `a fact that isn't a number is reported, and the page decides`(
    _ paging: Paging, _ fact: JSONAny
  ) throws {
    let facts = try facts(paging, fact)
    #expect(facts.problems.count == 1)
    guard case .wrongFact("fact", _, let found)? = facts.problems.first else {
      Issue.record("\(facts.problems)")
      return
    }
    #expect(found == fact.text())
    #expect(facts.total == nil)
    guard case .page = facts.next else {
      Issue.record("a full page ended the list")
      return
    }
    #expect(try self.facts(paging, fact, items: []).next == .end)
  }

  @Test(arguments: numbered)
  func `numbers written as text are numbers`(_ paging: Paging) throws {
    #expect(try facts(paging, "20").problems.isEmpty)
    #expect(try facts(.pageNumber(size: 20, endsBy: .total("fact")), "20").next == .end)
    #expect(try facts(.pageNumber(size: 20, endsBy: .total("fact")), 20.0).next == .end)
  }

  @Test(arguments: numbered)
  func `the largest numbers don't overflow`(_ paging: Paging) throws {
    for number in [Int.max, .max - 1] {
      let fact = JSONAny.int(number)
      #expect(try facts(paging, fact).next != .end)
      for place in [PageKey.Place.number(number), .offset(number)] {
        let page = try? pageResponse(paging, at: PageKey(place), ["items": full, "fact": fact])
        guard let page else { continue }
        let facts = paging.strategy.facts(in: page)
        if case .page(let key) = facts.next { #expect(key.place == .number(.max)) }
      }
    }
  }

  @Test func `a list with too large a page count ends at the first empty page`() throws {
    let paging = Paging.pageNumber(size: 20, endsBy: .pageCount("fact"))
    let facts = try facts(paging, at: PageKey(.number(4)), 1_000_000, items: [])
    #expect(facts.next == .end)
    #expect(
      facts.problems == [
        .missingRows("the server reported 1,000,000 pages, but the list ended after 4")
      ])
  }

  @Test func `a total smaller than the rows received is ignored`() throws {
    let paging = Paging.offset(limit: 20, endsBy: .total("fact"))
    let facts = try facts(paging, at: PageKey(.offset(20)), 20)
    #expect(facts.next == .page(PageKey(.offset(40))))
    #expect(
      facts.problems == [
        .wrongFact("fact", expected: "at least 40, as this page has rows", found: "20")
      ])
  }

  @Test func `a flag is read from numbers and texts, and anything else is reported`() throws {
    let paging = Paging.pageNumber(size: 20, endsBy: .hasNext("fact"))
    for no in [JSONAny.bool(false), 0, "0", "False"] {
      #expect(try facts(paging, no).next == .end)
    }
    for yes in [JSONAny.bool(true), 1, "1", "TRUE"] {
      #expect(try facts(paging, yes, items: []).next == .page(PageKey(.number(2))))
    }
    #expect(
      try facts(paging, "perhaps").problems == [
        .wrongFact("fact", expected: "true or false", found: #""perhaps""#)
      ])
    #expect(try facts(paging, .null).problems.isEmpty)
  }

  @Test func `a next page before this one is reported, and the page decides`() throws {
    let paging = Paging.pageNumber(size: 20, endsBy: .nextPage("fact"))
    let facts = try facts(paging, at: PageKey(.number(3)), 3)
    #expect(facts.next == .page(PageKey(.number(4))))
    #expect(facts.problems == [.wrongFact("fact", expected: "a number above 3", found: "3")])
    #expect(try self.facts(paging, at: PageKey(.number(3)), 4).next == .page(PageKey(.number(4))))
  }

  @Test func `a next page that skips numbers stops the list`() throws {
    let paging = Paging.pageNumber(size: 20, endsBy: .nextPage("fact"))
    let next = try facts(paging, at: PageKey(.number(3)), 7).next
    #expect(
      next == .stopped(.wrongFact("the number of the next page", expected: "4", found: "7")))
  }

  @Test func `a key of another paging is rejected`() throws {
    let url = try WebURL("https://api.test/")
    let pagings: [Paging] = [
      .pageNumber(), .offset(limit: 1), .link, .nextURL(at: "next"), .cursor(at: "next"),
      .keyset(["id"], into: ["after"]), .range(size: 1), .single,
    ]
    for paging in pagings {
      var refused = 0
      for place in [PageKey.Place.number(1), .offset(1), .url(url), .after([1, 2])] {
        var call = Call("/books")
        do throws(PagingError) {
          try paging.strategy.apply(PageKey(place), to: &call)
        } catch {
          refused += 1
        }
      }
      #expect(refused >= 3, "\(paging)")
    }
  }
}
