import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

struct LinkPagingTests {
  /// A server that chains its pages by addresses of any shape.
  private func server(
    _ shelf: Shelf, link: @escaping (Int) -> String = { "https://api.test/books?page=\($0)" }
  ) -> (Call) throws -> PagedReply {
    { call in
      let url = try WebURL("https://api.test").resolving(call.address)
      let page = url.queryParams["page"].flatMap { Int($0) } ?? 0
      let next = (page + 1) * 20 < shelf.count ? link(page + 1) : nil
      let previous = page > 0 ? link(page - 1) : nil
      return PagedReply(
        json: [
          "items": shelf.rows(from: page * 20, 20), "next": next.map { .string($0) } ?? .null,
          "prev": previous.map { ["href": .string($0)] } ?? [:], "count": .int(shelf.count),
        ],
        headers: HTTPHeaders(
          [(next, "next"), (previous, "prev")].compactMap { target, relation in
            target.map { .init(name: "Link", value: "<\($0)>; rel=\"\(relation)\"") }
          }))
    }
  }

  static let exact = [1, 1, 1, 1, 2, 2, 3]
  static let pagings: [Paging] = [
    .link, .nextURL(at: "next", previous: "prev", total: "count"),
  ]
  static let shapes: [@Sendable (Int) -> String] = [
    { "https://api.test/books?page=\($0)" }, { "/books?page=\($0)" }, { "?page=\($0)" },
    { "//api.test/books?page=\($0)#top" }, { " books?page=\($0) " },
  ]

  @Test(arguments: pagings)
  func `every row is loaded once and in order`(_ paging: Paging) throws {
    for shape in Self.shapes {
      for (size, requests) in zip(sizes, Self.exact) {
        let walk = try walk(paging, with: server(Shelf(count: size), link: shape))
        #expect(walk.rows == Array(0..<size), "\(size) rows")
        #expect(walk.calls.count == requests, "\(size) rows")
        #expect(walk.last == .end)
      }
    }
  }

  @Test(arguments: pagings)
  func `going back loads every row once, down to the first`(_ paging: Paging) throws {
    let middle = PageKey(.url(try WebURL("https://api.test/books?page=2")))
    let walk = try walk(paging, from: middle, .backward, with: server(Shelf(count: 61)))
    #expect(walk.rows == Array(0..<60))
    #expect(walk.last == .end)
  }

  @Test func `relative links are resolved against the address of the response`() throws {
    let paging = Paging.nextURL(at: "next")
    let page = try pageResponse(
      paging, ["next": "page/2"], url: "https://api.test/v2/books/all?x=1")
    let url = try WebURL("https://api.test/v2/books/page/2")
    #expect(paging.strategy.facts(in: page).next == .page(PageKey(.url(url))))
  }

  @Test func `a link keeps the headers of the call and replaces its parameters`() throws {
    var call = Call(
      "/books", method: .post, params: ["page": 1, "q": "old", "key": "k", "sort": "up"],
      headers: ["Authorization": "secret"], body: .text("{}"))
    let url = try WebURL("https://api.test/books?page=2&q=new&sort=down")
    try Paging.link(keeping: ["key", "sort"]).strategy.apply(PageKey(.url(url)), to: &call)
    #expect(call.address == url.description)
    #expect(call.params == ["key": "k"])
    #expect(call.headers["Authorization"] == "secret")
    #expect(call.method == .post)
    #expect(call.body == .text("{}"))
  }

  @Test(arguments: [
    "https://evil.test/books?token=t", "http://api.test/books?token=t",
    "https://api.test:444/books?token=t", "//evil.test/books?token=t",
  ])
  func `a link to another origin stops the list`(_ target: String) throws {
    for paging in Self.pagings {
      let page = try pageResponse(
        paging, ["next": .string(target)], headers: ["Link": "<\(target)>; rel=next"])
      guard
        case .stopped(.otherOrigin(let address, let expected)) =
          paging.strategy.facts(in: page).next
      else {
        Issue.record("\(paging) followed \(target)")
        continue
      }
      #expect(!address.contains("token"))
      #expect(expected.description == "https://api.test")
    }
  }

  @Test func `the home of a redirected first page gets no credentials`()
    throws
  {
    let paging = Paging.nextURL(at: "next")
    let mirror = try pageResponse(paging, ["next": "?page=2"], url: "https://mirror.test/books")
    for hasScheme in [true, false] {
      var page = mirror
      page.call = Call(hasScheme ? "https://api.test/books" : "/books")
      page.response.attempts = [
        HTTPResponse.Attempt(
          address: try WebURL("https://api.test/books"), outcome: .responded(302)),
        HTTPResponse.Attempt(
          address: try WebURL("https://mirror.test/books"), outcome: .responded(200)),
      ]
      guard case .page(let next) = paging.strategy.facts(in: page).next else {
        Issue.record("stopped")
        return
      }
      #expect(next.isForeign)
    }
    let back = try pageResponse(
      paging, call: Call("https://api.test/books"), ["next": "https://api.test/books?page=2"],
      url: "https://mirror.test/books")
    guard case .stopped(.otherOrigin) = paging.strategy.facts(in: back).next else {
      Issue.record("followed a link back to the redirecting origin")
      return
    }
  }

  @Test func `TLS on the same host is the same home`() throws {
    let paging = Paging.link
    let page = try pageResponse(
      paging, call: Call("http://api.test/books"),
      headers: ["Link": "<https://api.test/books?page=2>; rel=next"])
    let url = try WebURL("https://api.test/books?page=2")
    #expect(paging.strategy.facts(in: page).next == .page(PageKey(.url(url))))
  }

  @Test func `allowed other origins get no credentials on any page`() throws {
    let paging = Paging.link(keeping: ["key"])
    let home = try WebURL("https://api.test").origin
    let call = Call(
      "/books", params: ["key": "k"],
      headers: ["Authorization": "secret", "X-Key": "k", "Accept-Language": "en"])
    var key = paging.strategy.first
    for page in 2...4 {
      var response = try pageResponse(
        paging, at: key, call: call,
        headers: ["Link": "<https://other.test/books?page=\(page)>; rel=next"],
        url: page == 2 ? "https://api.test/books" : "https://other.test/books?page=\(page - 1)")
      response.origins = ListOrigins(asked: home, home: home, allowsOthers: true)
      guard case .page(let next) = paging.strategy.facts(in: response).next else {
        Issue.record("stopped")
        return
      }
      var asked = call
      try paging.strategy.apply(next, to: &asked)
      #expect(next.isForeign)
      #expect(asked.params.isEmpty)
      key = next
    }
  }

  @Test func `a link to the page itself stops the list`() throws {
    for paging in Self.pagings {
      let first = try pageResponse(
        paging, ["next": "/books", "items": [1]], headers: ["Link": "</books>; rel=next"])
      #expect(paging.strategy.facts(in: first).next == .stopped(.noProgress(first.key)))
      let key = PageKey(.url(try WebURL("https://api.test/books?page=2")))
      let second = try pageResponse(
        paging, at: key, ["next": "?page=2", "items": [1]],
        headers: ["Link": "<?page=2>; rel=next"],
        url: "https://api.test/books?page=2&key=added")
      #expect(paging.strategy.facts(in: second).next == .stopped(.noProgress(key)))
      let empty = try pageResponse(
        paging, at: key, ["next": "?page=2"], headers: ["Link": "<?page=2>; rel=next"])
      #expect(paging.strategy.facts(in: empty).next == .end)
    }
  }

  @Test(arguments: [
    "mailto:a@b", "https://user:word@api.test/?token=t", "http://[::#token", "ftp://api.test/x",
    "https://user:word\u{600}@api.test/", "https://user:word@\u{301}api.test/",
    "mailto:word\u{600}@b", "mailto:word@\u{301}b",
  ])
  func `an invalid link stops the list, and the error hides its secrets`(
    _ target: String
  ) throws {
    let paging = Paging.nextURL(at: "next")
    let facts = paging.strategy.facts(in: try pageResponse(paging, ["next": .string(target)]))
    guard case .stopped(.badLink(let text, _)) = facts.next else {
      Issue.record("\(facts.next)")
      return
    }
    #expect(!text.isEmpty)
    #expect(!text.contains("word") && !text.contains("token"))
  }

  @Test(arguments: [JSONAny.null, "", false])
  func `a missing address ends the list`(_ value: JSONAny) throws {
    let paging = Paging.nextURL(at: "next")
    #expect(paging.strategy.facts(in: try pageResponse(paging, ["next": value])).next == .end)
    #expect(
      paging.strategy.facts(in: try pageResponse(paging, ["next": ["href": value]])).next == .end)
  }

  @Test func `a value that is not an address stops the list with an error`() throws {
    let paging = Paging.nextURL(at: "next")
    #expect(
      paging.strategy.facts(in: try pageResponse(paging, ["next": 7])).next
        == .stopped(.wrongFact("next", expected: "an address or null", found: "7")))
  }

  @Test func `address and total may be in headers`() throws {
    let paging = Paging.nextURL(at: .header("X-Next"), total: .header("X-Count"))
    let facts = paging.strategy.facts(
      in: try pageResponse(paging, headers: ["X-Next": "?page=2", "X-Count": "45"]))
    #expect(facts.total == 45)
    #expect(facts.next == .page(PageKey(.url(try WebURL("https://api.test/books?page=2")))))
  }

  @Test func `an error names the page without its secrets`() throws {
    let key = PageKey(.url(try WebURL("https://api.test/books?page=2&access_token=t7")))
    let text = "\(PagingError.noProgress(key))"
    #expect(text.contains("https://api.test/books?page=2"))
    #expect(!text.contains("t7"))
  }
}
