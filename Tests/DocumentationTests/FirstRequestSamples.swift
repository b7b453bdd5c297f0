import Foundation
import Quire
import QuireTesting
import Testing

/// The samples of “Your first request”, in their order.
@Suite struct FirstRequestSamples {
  private let author: String? = nil
  private let transport = MockTransport { request in
    request.method == .post ? .json("{}", status: 201) : .json(#"{"title": "Quire"}"#)
  }
  private let server: Server

  init() { server = Server("https://api.example.com", transport: transport) }

  private func show(_ value: some Sendable) {}

  @Test func `describing a service does no I/O`() {
    let server = Server("https://api.example.com/v1") {
      $0.headers["Accept-Language"] = "en"
      $0.content = .json
    }
    #expect(server.configuration.headers["accept-language"] == "en")
  }

  @Test func `a call leaves out what is nil and repeats lists`() async throws {
    let call = Call("/books", params: ["page": 2, "tag": ["new", "used"], "author": author])
    let response = try await server.send(call)
    print(response.status, try response.text())
    #expect(transport.requests.first?.url.query == "page=2&tag=new&tag=used")
  }

  @Test func `each address of the table leads where it says`() async throws {
    let rows = try Self.table(in: "YourFirstRequest.md", after: "| server | call | request |")
    #expect(rows.count == 15)
    for row in rows {
      for address in row[1] {
        let server = Server(row[0][0], transport: transport)
        _ = try await server.send(Call(address == #""""# ? "" : address))
        #expect(transport.requests.last?.url.description == row[2][0], "\(row)")
      }
    }
  }

  /// The texts in backticks of each cell of a table.
  private static func table(in article: String, after head: String) throws -> [[[String]]] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("Sources/Quire/Quire.docc/\(article)")
    let text = try String(contentsOf: file, encoding: .utf8)
    let lines = text.components(separatedBy: "\n").drop { $0 != head }.dropFirst(2)
    return lines.prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { cell in
        cell.matches(of: #/`([^`]*)`/#).map { String($0.1) }
      }
    }
  }

  @Test func `parameters come from several places`() async throws {
    let english = server.with { $0.params = ["format": "json", "lang": "en"] }
    let call = Call("/books?page=1", params: ["page": 2, "lang": "de"])
    let german = try await english.send(call)  // …/books?format=json&page=2&lang=de
    #expect(german.url.description == "https://api.example.com/books?format=json&page=2&lang=de")
    for address in ["ftp://h/x", "book:5"] {
      await #expect(throws: RequestError.self) { try await server.send(Call(address)) }
    }
    #expect(transport.requests.count == 1)
  }

  @Test func `parameters go into the query, a form or JSON`() async throws {
    var search = Call("/search", method: .post, params: ["q": "lem", "page": 2, "new": true])
    search.paramsIn = .json  // {"q":"lem","page":2,"new":true}
    _ = try await server.send(search)
    search.onlyReads = true
    search.paramsIn = .form
    _ = try await server.send(search)
    let bodies = transport.requests.map {
      String(decoding: (try? $0.body?.bytes()) ?? [], as: UTF8.self)
    }
    #expect(bodies == [#"{"q":"lem","page":2,"new":true}"#, "q=lem&page=2&new=true"])
  }

  struct Me: Decodable {
    var id: Int
    var name: String
  }

  @Test func `a call returns a value in one line`() async throws {
    transport.enqueue(
      .json(#"{"id": 7, "name": "Ada"}"#), .json(#"{"data": {"tags": ["new"]}}"#),
      .text("Be kind."))
    let me = try await server.send(Call("/me"), as: Me.self)
    let tags = try await server.send(Call("/books/17"), as: [String].self, at: "data.tags")
    let terms = try await server.send(Call("/terms"), as: String.self)
    #expect(me.id == 7 && tags == ["new"] && terms == "Be kind.")
  }

  @Test(arguments: [
    (MockResponse.json(#"{"id": 7, "name": "Ada"}"#), "Ada"),
    (.status(404), "No response: status(404)"),
    (
      .json(#"{"id": 7, "Name": "Ada"}"#),
      """
      can't decode Me: no value at $['name']; did you mean 'Name'?
      """
    ),
  ])
  func `all errors of a value are of one type`(response: MockResponse, expected: String) async {
    var shown = ""
    func show(_ text: String) { shown = text }
    transport.enqueue(response)
    do throws(LoadError) {
      let me = try await server.send(Call("/me"), as: Me.self)
      show(me.name)
    } catch {
      switch error {
      case .request(let error): show("No response: \(error.kind)")
      default: show("\(error)")
      }
    }
    #expect(shown == expected)
  }

  @Test func `a response has JSON, and a decoder takes it`() async throws {
    transport.enqueue(.json(#"{"id": 7, "name": "Ada"}"#))
    let response = try await server.send(Call("/me"))
    show(try response.json["name"]?.string ?? "")
    let me = try ItemDecoder().decode(Me.self, from: response)
    #expect(me.name == "Ada")
  }

  @Test func `a value is sent as JSON`() async throws {
    let order = Call("/orders", method: .post, body: try .json(["book": 17]))
    let created = try await server.send(order)
    #expect(created.status == 201)
  }

  @Test func `a link leads to the next page`() async throws {
    let transport = MockTransport { request in
      var page = MockResponse.json("[]")
      if request.url.query == nil { page.headers["Link"] = "<?page=2>; rel=next" }
      return page
    }
    let server = Server("https://api.example.com/v1", transport: transport)
    let books = try await server.send(Call("/books"))
    if let next = try books.linkedURL("next") {
      let more = try await server.send(Call(next.description))
      show(try more.text())
    }
    #expect(
      transport.requests.last?.url.description == "https://api.example.com/v1/books?page=2")
  }

  @Test(arguments: [
    (MockResponse.json("{}"), "{}"), (.status(404), "There is no such book."),
    (.failure(.timeout(.total)), "No connection. Try again later."),
    (.failure(.cancelled(.byCaller)), ""),
    (.status(410), "The service does not work as it should: status(410)"),
  ])
  func `errors can be switched over`(response: MockResponse, expected: String) async {
    var shown = ""
    func show(_ text: String) { shown = text }
    transport.enqueue(response)
    do throws(RequestError) {
      let response = try await server.send(Call("/books/17"))
      show(try response.text())
    } catch {
      switch error.kind {
      case .status(404): show("There is no such book.")
      case .offline, .nameNotResolved, .timeout: show("No connection. Try again later.")
      case .cancelled: break
      default: show("The service does not work as it should: \(error.kind)")
      }
    }
    #expect(shown == expected)
  }

  @MainActor @Test func `a request object ends with one outcome`() async {
    let books = BaseServerAPI(server, "/books", params: ["page": 1])
    switch await books.run() {
    case .succeeded(let response): show(response.status)
    case .failed(let error): show(error.kind)
    case .cancelled(let reason): show(reason)
    }
    #expect(books.response?.status == 200)
  }

  @MainActor @Test func `a request object parses JSON`() async {
    let book = BaseServerAPI(server, "/books/17")
    book.parsesJSON = true
    _ = await book.run()
    show(book.json?["title"]?.string ?? "")
    #expect(book.json?["title"]?.string == "Quire")
  }

  @Test func `monitors see each call`() async throws {
    let watched = server.with { $0.monitors = [LogMonitor()] }
    _ = try await watched.send(Call("/books"))
    #expect(watched.configuration.monitors.count == 1)
  }
}
