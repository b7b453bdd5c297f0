import ItemMapping
import ListReading
import QuireTesting
import ServerAPI

/// A server that pages in one way, with members beside the rows that have nothing to do with it.
struct HonestList: Sendable {
  enum Way: CaseIterable, Sendable {
    case linkHeader, link, token, pages, offset, flaggedPages, bare
  }

  var way: Way
  var count = 45
  var size = 10
  /// Constant members, as JSON with a comma before each.
  var members = ""

  /// What a walk came to.
  struct Reading {
    var rows: [Int] = []
    var end = ""
    var requests: [String] = []
    var claim = Consistency.Claim.unproven
    var assumptions: Set<ListAssumption> = []
    var endMember: String?
  }

  func read(_ path: String = "/books") async throws -> Reading {
    let transport = MockTransport { request in respond(request.query) }
    let server = Server("https://api.test", transport: transport) { $0.retry = .never }
    let walk = PageWalk(server, path)
    var reading = Reading()
    while let page = try await walk.next() {
      reading.rows += page.rows.compactMap { $0["id"]?.int }
      if reading.rows.count > 10 * count { break }
    }
    reading.end = walk.end.map { "\($0)" } ?? ""
    reading.requests = transport.requests.map { $0.url.description }
    (reading.claim, reading.assumptions) = (walk.consistency.claim, walk.consistency.assumptions)
    return reading
  }

  private func respond(_ query: Params) -> MockResponse {
    func number(_ name: String) -> Int? { query[name].flatMap { Int($0) } }
    let start: Int
    switch way {
    case .linkHeader, .link, .pages, .flaggedPages, .bare:
      start = ((number("page") ?? 1) - 1) * size
    case .token: start = query["cursor"].flatMap { Int($0.dropFirst()) } ?? 0
    case .offset: start = number("offset") ?? 0
    }
    let end = min(start + size, count)
    let rows = (max(0, start)..<max(max(0, start), end)).map { #"{"id":\#($0),"name":"n\#($0)"}"# }
    let (page, isLast) = (start / size + 1, end >= count)
    let address = "/books?page=\(page + 1)"
    let own =
      switch way {
      case .linkHeader, .bare: ""
      case .link: #","next":\#(isLast ? "null" : "\"\(address)\"")"#
      case .token: #","next_cursor":\#(isLast ? "null" : "\"c\(end)\"")"#
      case .pages: #","page":\#(page),"total_pages":\#((count + size - 1) / size)"#
      case .offset: #","offset":\#(start),"limit":\#(size),"total":\#(count)"#
      case .flaggedPages: #","has_more":\#(!isLast)"#
      }
    let response = MockResponse.json("{\"items\":[\(rows.joined(separator: ","))]\(own)\(members)}")
    return way == .linkHeader && !isLast
      ? response.headers(["Link": "<\(address)>; rel=\"next\""]) : response
  }
}
