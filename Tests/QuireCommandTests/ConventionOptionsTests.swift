import ItemMapping
import Quire
import TestSupport
import Testing

@testable import QuireCommand

/// The conventions of `Fixtures/paging`, declared by options.
struct ConventionOptionsTests {
  @Test(arguments: Convention.all)
  func `options read every list whole`(_ convention: Convention) async throws {
    let server = ConventionServer(convention)
    let body = convention.body.map { ["--body", $0.text()] } ?? []
    let options = try CrawlOptions(
      try Arguments([convention.address] + body + convention.options, for: CrawlCommand.spec))
    let walk = PageWalk(
      Server("https://example.com", transport: server.transport) { $0.retry.attempts = 1 },
      options.list.call, items: options.list.items, paging: options.list.paging,
      identity: options.list.identity)
    var rows: [JSONAny] = []
    var pages = 0
    while pages < 80, let page = try await walk.next() {
      rows += page.rows.map { JSONAny($0) }
      pages += 1
    }
    #expect(rows == server.rows, "\(rows.count) of \(server.rows.count) rows")
    if convention.repeatsItsEnd {
      // The same cursor again may also be a circle.
      #expect(walk.end != nil)
    } else {
      #expect(walk.end == .complete, "\(server.requests)")
    }
  }
}
