import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

/// The addresses of further pages that a response's links tell.
struct CountedLinksTests {
  /// The addresses after the next page, without what all of them begin with.
  private func addresses(
    _ this: String, _ next: String, last: String? = nil, total: Int? = nil, rows: Int = 20,
    isStart: Bool = true
  ) throws -> [String] {
    let base = try WebURL("https://a.test/rows")
    let links = CountedLinks(
      this: try base.resolving(this), next: try base.resolving(next), last: last, rows: rows,
      total: total, isFirst: isStart)
    let counter = links.counter
    return sequence(first: links.next) { counter?.address(after: $0) }.dropFirst().prefix(3)
      .map { String($0.description.dropFirst("https://a.test/rows".count)) }
  }

  @Test func `the last page and the total say how many pages there are`() throws {
    #expect(
      try addresses("?q=a", "?q=a&page=2", last: "?q=a&page=9")
        == ["?q=a&page=3", "?q=a&page=4", "?q=a&page=5"])
    #expect(try addresses("?page=1", "?page=2", last: "?page=4") == ["?page=3", "?page=4"])
    #expect(try addresses("", "?page=2", total: 61) == ["?page=3", "?page=4"])
    #expect(try addresses("", "?page=2", total: 60) == ["?page=3"])
    #expect(try addresses("?page=0", "?page=1", total: 60) == ["?page=2"])
    #expect(try addresses("", "?page=1", total: 60) == ["?page=2"])
    #expect(
      try addresses("", "?limit=20&offset=20", last: "?limit=20&offset=60") == [],
      "two parameters differ")
    #expect(
      try addresses("?limit=20", "?limit=20&offset=20", last: "?limit=20&offset=60")
        == ["?limit=20&offset=40", "?limit=20&offset=60"])
    #expect(
      try addresses("?limit=20&offset=40", "?limit=20&offset=60", last: "?offset=99&limit=20")
        == ["?limit=20&offset=80"])
  }

  @Test func `links that don't count lead to no other page`() throws {
    #expect(try addresses("", "?after=k20", last: "?after=k90") == [])
    #expect(try addresses("", "?since=46", total: 600) == [], "an id")
    #expect(try addresses("?x=1", "?x=2", last: "?x=9") == [], "an unknown parameter")
    #expect(try addresses("?page=1", "?page=2") == [], "no end is known")
    #expect(try addresses("?page=1", "?page=2", last: "?page=2") == [])
    #expect(try addresses("?page=1", "?page=2", last: "/others?page=9") == [])
    #expect(try addresses("?page=1", "?page=2", last: "?page=9&q=b") == [])
    #expect(try addresses("?page=1", "?page=2", last: "https://b.test/rows?page=9") == [])
    #expect(try addresses("?page=2", "?page=1", last: "?page=9", isStart: false) == [])
    #expect(try addresses("?page=1", "?page=1&page=2", last: "?page=9") == [])
    #expect(try addresses("?page=1", "?page=3", last: "?page=9") == [], "steps of another size")
    #expect(try addresses("?page=8", "?page=9", total: 900, isStart: false) == [])
    #expect(try addresses("?page=1", "?page=2", total: 20) == [], "a total of one page")
    #expect(try addresses("", "?page=2", total: 90, rows: 0) == [])
    for (this, next) in [
      ("?page=\(Int.max)", "?page=-2"), ("?page=-2", "?page=\(Int.max)"), ("", "?page=\(Int.min)"),
      ("?page=-3", "?page=-2"), ("?page=\(Int.min)", "?page=\(Int.max)"), ("", "?page=\(Int.max)"),
    ] {
      #expect(try addresses(this, next, last: "?page=\(Int.max)", total: .max) == [], "\(next)")
    }
    #expect(
      try addresses("?page=\(Int.max - 1)", "?page=\(Int.max)", last: "?page=\(Int.max)") == [])
  }
}
