import ServerAPI
import Testing

@testable import ListReading

/// Links that number pages of a size, and pages of other sizes at their server.
@Suite struct NumberedLinksTests {
  private func link(_ text: String) throws -> PageKey {
    PageKey(.url(try WebURL("https://a.test/rows?\(text)")))
  }

  @Test(arguments: [
    "page=2", "per_page=20", "page=3&per_page=20", "page=2&per_page=0", "page=2&per_page=many",
    "page=2&p=2&per_page=20", "page=2&page=3&per_page=20", "offset=20&limit=20",
  ])
  func `a link without the number and size of the second page has no overlaps`(text: String) throws {
    #expect(NumberedLinks(toSecond: try link(text)) == nil)
  }

  @Test(arguments: [
    ("page=2&per_page=20", "page=2&per_page=19"),
    ("page=2&per_page=5&q=a", "page=2&per_page=4&q=a"),
    ("q=a%20b&p=1&limit=10", "q=a%20b&p=1&limit=9"),
    ("page%5Bnumber%5D=2&page%5Bsize%5D=20", "page%5Bnumber%5D=2&page%5Bsize%5D=19"),
  ])
  func `a page of another size begins before the second page`(text: String, other: String) throws {
    let key = try link(text)
    let links = try #require(NumberedLinks(toSecond: key))
    let overlap = try #require(
      links.overlap(before: key, rows: 1, reachesPage: true, pageSize: links.usualSize))
    #expect(overlap.key == (try link(other)))
    #expect(overlap.rows == 1 && overlap.ownSize == links.usualSize - 1)
  }

  @Test func `no page is requested of a server whose pages have other sizes than its links say`()
    throws
  {
    let key = try link("page=2&per_page=20")
    let links = try #require(NumberedLinks(toSecond: key))
    #expect(links.overlap(before: key, rows: 1, reachesPage: true, pageSize: 10) == nil)
  }

  @Test func `no page is requested of another origin`() throws {
    var key = try link("page=2&per_page=20")
    let links = try #require(NumberedLinks(toSecond: key))
    key.isForeign = true
    #expect(NumberedLinks(toSecond: key) == nil)
    #expect(links.overlap(before: key, rows: 1, reachesPage: true, pageSize: 20) == nil)
  }
}
