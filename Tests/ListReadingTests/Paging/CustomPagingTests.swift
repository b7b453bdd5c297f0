import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct CustomPagingTests {
  private struct Refusal: Error, CustomStringConvertible {
    var description: String { "no such year" }
  }

  private func years(from first: Int) -> Paging {
    .custom(first: PageKey(.number(first))) { key, call in
      guard case .number(let year) = key.place, year > 0 else { throw Refusal() }
      call.params["year"] = "\(year)"
    } facts: { page in
      guard case .number(let year) = page.key.place, page.count > 0 else {
        return PageFacts(next: .end)
      }
      return PageFacts(next: .page(PageKey(.number(year - 1))))
    }
  }

  @Test func `closures request and read pages`() throws {
    for size in sizes {
      let walk = try walk(years(from: 2026)) { call in
        let page = 2026 - (call.number("year") ?? 0)
        return PagedReply(json: ["items": Shelf(count: size).rows(from: page * 20, 20)])
      }
      #expect(walk.rows == Array(0..<size))
      #expect(walk.calls.count == (size + 19) / 20 + 1)
    }
  }

  @Test func `an error thrown by a closure keeps its text`() throws {
    var call = Call("/books")
    #expect(throws: PagingError.custom("no such year")) {
      try years(from: 0).strategy.apply(PageKey(.number(0)), to: &call)
    }
    let typed = Paging.custom { key, _ in
      throw PagingError.notNumbered("mine")
    } facts: { _ in
      PageFacts(next: .end)
    }
    #expect(throws: PagingError.notNumbered("mine")) {
      try typed.strategy.apply(typed.strategy.first, to: &call)
    }
  }

  @Test func `only copies of a custom paging are equal`() {
    let paging = years(from: 1)
    let copy = paging
    #expect(paging == copy)
    #expect(paging != years(from: 1))
    #expect(Set([paging, copy, years(from: 1)]).count == 2)
  }

  @Test func `a single page is the whole list`() throws {
    let walk = try walk(.single) { _ in
      PagedReply(json: ["items": Shelf(count: 21).rows(from: 0, 21), "next": "more"])
    }
    #expect(walk.rows == Array(0..<21))
    #expect(walk.calls.count == 1)
    #expect(walk.facts.first?.total == 21)
  }
}
