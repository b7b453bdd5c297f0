import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import ListModel

/// Cursors that count rows or pages, after a page that ends at row 40.
struct CountingCursorTests {
  @Test(
    arguments: [
      ("40", true), ("39", true), ("offset:40", true), (#"{"skip":40}"#, true),
      ("YXJyYXljb25uZWN0aW9uOjM5", true),  // arrayconnection:39
      ("eyJvZmZzZXQiOjQwfQ", true),  // {"offset":40}, without padding
      ("41", false), ("k40", false), ("4040", false), ("a40b", false), ("", false),
      ("ZGF0ZTo0MA==x", false), ("99999999999999999999", false),
    ])
  func `a cursor counts if it has the number of rows`(cursor: String, counts: Bool) {
    var cursors = CountingCursor()
    let link = PageFacts.Link.page(PageKey(.after(.string(cursor))))
    let found = cursors.counts(link, rows: 40, pages: 5)
    #expect(found == counts)
  }

  @Test(
    arguments: [
      ("/rows?skip=40", true), ("/rows?limit=40&cursor=abc", false), ("/rows/page/40", true),
      ("/users/40/rows?cursor=abc", false),
    ])
  func `an address counts by its place and not by its size`(address: String, counts: Bool) throws {
    var cursors = CountingCursor()
    let url = try WebURL("https://test" + address)
    let found = cursors.counts(.page(PageKey(.url(url))), rows: 40, pages: 5)
    #expect(found == counts)
  }

  @Test func `a cursor counts pages if it does so twice in a row`() {
    var cursors = CountingCursor()
    func counts(_ number: Int, page: Int) -> Bool {
      cursors.counts(
        .page(PageKey(.after(.string("page:\(number)")))), rows: page * 40, pages: page)
    }
    let twice = [counts(2, page: 1), counts(3, page: 2)]
    cursors = CountingCursor()
    let never = [counts(2, page: 1), counts(2, page: 3), counts(5, page: 4)]
    #expect(twice == [false, true] && never == [false, false, false])
  }

  @Test(
    arguments: [
      ("https://host/list?cursor=40", true), ("https://host/list?cursor=k40", false),
      ("https://host/40?x=1", false),
    ])
  func `a link counts by its parameters`(url: String, counts: Bool) throws {
    var cursors = CountingCursor()
    let link = PageFacts.Link.page(PageKey(.url(try WebURL(url))))
    let found = cursors.counts(link, rows: 40, pages: 5)
    #expect(found == counts)
  }

  @Test func `numbers and objects of JSON are cursors too`() throws {
    var cursors = CountingCursor()
    let object = try JSONAny(JSONDocument(#"{"o":40}"#).root)
    for cursor in [JSONAny.int(40), object] {
      let found = cursors.counts(.page(PageKey(.after(cursor))), rows: 40, pages: 5)
      #expect(found)
    }
    let atEnd = cursors.counts(.end, rows: 40, pages: 5)
    #expect(!atEnd)
  }
}
