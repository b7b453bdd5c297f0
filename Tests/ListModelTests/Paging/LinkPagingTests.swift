import ItemMapping
import ServerAPI
import Testing

@testable import ListModel

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
  func `every row comes once and in order`(_ paging: Paging) throws {
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
  func `the way back has every row once, down to the first`(_ paging: Paging) throws {
    let middle = PageKey(.url(try WebURL("https://api.test/books?page=2")))
    let walk = try walk(paging, from: middle, .backward, with: server(Shelf(count: 61)))
    #expect(walk.rows == Array(0..<60))
    #expect(walk.last == .end)
  }

  @Test func `relative links count from where the answer came from`() throws {
    let paging = Paging.nextURL(at: "next")
    let answer = try answer(
      paging, ["next": "page/2"], url: "https://api.test/v2/books/all?x=1")
    let url = try WebURL("https://api.test/v2/books/page/2")
    #expect(paging.strategy.facts(in: answer).next == .page(PageKey(.url(url))))
  }

  @Test func `a link is followed with what the call says, but with its own parameters`() throws {
    var call = Call(
      "/books", method: .post, params: ["page": 1, "q": "old", "key": "k", "sort": "up"],
      headers: ["Authorization": "secret"], body: .text("{}"))
    let url = try WebURL("https://api.test/books?page=2&q=new&sort=down")
    try Paging.link(keeping: ["key", "sort"]).strategy.ask(for: PageKey(.url(url)), in: &call)
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
      let answer = try answer(
        paging, ["next": .string(target)], headers: ["Link": "<\(target)>; rel=next"])
      guard
        case .stopped(.otherOrigin(let address, let expected)) =
          paging.strategy.facts(in: answer).next
      else {
        Issue.record("\(paging) went on to \(target)")
        continue
      }
      #expect(!address.contains("token"))
      #expect(expected.description == "https://api.test")
    }
  }

  @Test func `a list is at home where its first page came from, and gets no credentials there`()
    throws
  {
    let paging = Paging.nextURL(at: "next")
    let mirror = try answer(paging, ["next": "?page=2"], url: "https://mirror.test/books")
    for hasScheme in [true, false] {
      var answer = mirror
      answer.call = Call(hasScheme ? "https://api.test/books" : "/books")
      answer.response.attempts = [
        HTTPResponse.Attempt(address: "https://api.test/books", outcome: .answered(302)),
        HTTPResponse.Attempt(address: "https://mirror.test/books", outcome: .answered(200)),
      ]
      guard case .page(let next) = paging.strategy.facts(in: answer).next else {
        Issue.record("stopped")
        return
      }
      #expect(next.isForeign)
    }
    let back = try answer(
      paging, call: Call("https://api.test/books"), ["next": "https://api.test/books?page=2"],
      url: "https://mirror.test/books")
    guard case .stopped(.otherOrigin) = paging.strategy.facts(in: back).next else {
      Issue.record("went back to where the redirect had left")
      return
    }
  }

  @Test func `the step up to TLS on the same host is no other origin`() throws {
    let paging = Paging.link
    let answer = try answer(
      paging, call: Call("http://api.test/books"),
      headers: ["Link": "<https://api.test/books?page=2>; rel=next"])
    let url = try WebURL("https://api.test/books?page=2")
    #expect(paging.strategy.facts(in: answer).next == .page(PageKey(.url(url))))
  }

  @Test func `where other origins are allowed they get no credentials, on no page`() throws {
    let paging = Paging.link(keeping: ["key"])
    let home = try WebURL("https://api.test").origin
    let call = Call(
      "/books", params: ["key": "k"],
      headers: ["Authorization": "secret", "X-Key": "k", "Accept-Language": "en"])
    var key = paging.strategy.first
    for page in 2...4 {
      var response = try answer(
        paging, at: key, call: call,
        headers: ["Link": "<https://other.test/books?page=\(page)>; rel=next"],
        url: page == 2 ? "https://api.test/books" : "https://other.test/books?page=\(page - 1)")
      response.origins = ListOrigins(asked: home, home: home, allowsOthers: true)
      guard case .page(let next) = paging.strategy.facts(in: response).next else {
        Issue.record("stopped")
        return
      }
      var asked = call
      try paging.strategy.ask(for: next, in: &asked)
      #expect(next.isForeign)
      #expect(asked.params.isEmpty)
      key = next
    }
  }

  @Test func `a link to the very page it stands on stops the list`() throws {
    for paging in Self.pagings {
      let first = try answer(
        paging, ["next": "/books"], headers: ["Link": "</books>; rel=next"])
      #expect(paging.strategy.facts(in: first).next == .stopped(.noProgress(first.key)))
      let key = PageKey(.url(try WebURL("https://api.test/books?page=2")))
      let second = try answer(
        paging, at: key, ["next": "?page=2"], headers: ["Link": "<?page=2>; rel=next"],
        url: "https://api.test/books?page=2&key=added")
      #expect(paging.strategy.facts(in: second).next == .stopped(.noProgress(key)))
    }
  }

  @Test(arguments: [
    "mailto:a@b", "https://user:word@api.test/?token=t", "http://[::#token", "ftp://api.test/x",
  ])
  func `a link that is no address stops the list, and no secret of it is repeated`(
    _ target: String
  ) throws {
    let paging = Paging.nextURL(at: "next")
    let facts = paging.strategy.facts(in: try answer(paging, ["next": .string(target)]))
    guard case .stopped(.badLink(let text, _)) = facts.next else {
      Issue.record("\(facts.next)")
      return
    }
    #expect(!text.isEmpty)
    #expect(!text.contains("word") && !text.contains("token"))
  }

  @Test(arguments: [JSONAny.null, "", false])
  func `no address ends the list`(_ value: JSONAny) throws {
    let paging = Paging.nextURL(at: "next")
    #expect(paging.strategy.facts(in: try answer(paging, ["next": value])).next == .end)
    #expect(paging.strategy.facts(in: try answer(paging, ["next": ["href": value]])).next == .end)
  }

  @Test func `something that is no address stops the list and is told`() throws {
    let paging = Paging.nextURL(at: "next")
    #expect(
      paging.strategy.facts(in: try answer(paging, ["next": 7])).next
        == .stopped(.wrongFact("next", expected: "an address or null", found: "7")))
  }

  @Test func `an address may stand in a header and the total anywhere`() throws {
    let paging = Paging.nextURL(at: .header("X-Next"), total: .header("X-Count"))
    let facts = paging.strategy.facts(
      in: try answer(paging, headers: ["X-Next": "?page=2", "X-Count": "45"]))
    #expect(facts.total == 45)
    #expect(facts.next == .page(PageKey(.url(try WebURL("https://api.test/books?page=2")))))
  }

  @Test func `an error tells the page without its secrets`() throws {
    let key = PageKey(.url(try WebURL("https://api.test/books?page=2&access_token=t7")))
    let text = "\(PagingError.noProgress(key))"
    #expect(text.contains("https://api.test/books?page=2"))
    #expect(!text.contains("t7"))
  }
}
