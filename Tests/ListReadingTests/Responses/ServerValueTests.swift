import Dispatch
import Foundation
import ItemMapping
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// Values of one response, in one line.
@Suite struct ServerValueTests {
  private let transport = MockTransport { _ in .json("{}") }
  private var server: Server {
    Server("https://test", transport: transport) { $0.retry = .never }
  }

  final class Book: BaseItem {
    var id = 0
    var title = ""

    override class var fields: FieldTable {
      FieldTable(Book.self) { f in
        f(\.id, "id", .required)
        f(\.title, "book.title")
      }
    }
  }

  struct Price: ItemValue, Equatable {
    var amount = Decimal(0)

    static var fields: FieldTable {
      FieldTable(Price.self) { f in f(\.amount, "pricing.amount", .required) }
    }
  }

  struct Me: Decodable, Equatable {
    var id: Int
    var name: String
    var joined: Date?
  }

  /// Has a table and can be decoded, each from other JSON.
  struct Both: ItemValue, Decodable, Equatable {
    var id = 0

    static var fields: FieldTable {
      FieldTable(Both.self) { f in f(\.id, "mapped.id", .required) }
    }
  }

  private let call = Call("/me")

  private func respond(_ json: String) { transport.enqueue(.json(json)) }

  // MARK: - Kinds of values

  @Test func `a decodable type is decoded`() async throws {
    respond(#"{"id":7,"name":"Ada"}"#)
    let me = try await server.send(call, as: Me.self)
    #expect(me == Me(id: 7, name: "Ada"))
  }

  @Test func `an array of a decodable type is decoded`() async throws {
    respond(#"{"data":{"list":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}}"#)
    let all = try await server.send(call, as: [Me].self, at: "data.list")
    #expect(all.map(\.id) == [1, 2])
  }

  @Test func `a decoder sets the formats`() async throws {
    respond(#"{"id":7,"name":"Ada","joined":"1970-01-01T00:00:09Z"}"#)
    var decoder = ItemDecoder()
    decoder.dateStrategy = .iso8601
    let me = try await server.send(call, as: Me.self, decoder: decoder)
    #expect(me.joined == Date(timeIntervalSince1970: 9))
  }

  @Test func `an item is mapped by its table`() async throws {
    respond(#"{"id":"7","book":{"title":"Emma"}}"#)
    let book = try await server.send(call, as: Book.self)
    #expect(book.id == 7 && book.title == "Emma")
  }

  @Test func `a list of items is mapped`() async throws {
    respond(#"{"data":{"list":[{"id":1},{"id":2}]}}"#)
    let books = try await server.send(call, as: [Book].self, at: "data.list")
    #expect(books.map(\.id) == [1, 2])
  }

  @Test func `a struct with a table is mapped`() async throws {
    respond(#"{"pricing":{"amount":"12.50"}}"#)
    let price = try await server.send(call, as: Price.self)
    #expect(price.amount == Decimal(string: "12.50"))
    respond(#"{"a":{"pricing":{"amount":1}}}"#)
    let prices = try await server.send(call, as: [String: Price].self)
    #expect(prices == ["a": Price(amount: 1)])
  }

  @Test func `scalars are read from the JSON`() async throws {
    respond(#"{"count":7,"names":["a","b"],"at":"1970-01-01T00:00:09Z"}"#)
    #expect(try await server.send(call, as: Int.self, at: "count") == 7)
    respond(#"{"names":["a","b"]}"#)
    #expect(try await server.send(call, as: [String].self, at: "names") == ["a", "b"])
    respond(#"{"price":"12.50"}"#)
    #expect(
      try await server.send(call, as: Decimal.self, at: "price") == Decimal(string: "12.50"))
    respond("null")
    #expect(try await server.send(call, as: Int?.self) == nil)
  }

  @Test func `any JSON is returned`() async throws {
    respond("[1,true]")
    #expect(try await server.send(call, as: JSONAny.self) == .array([.int(1), .bool(true)]))
    respond(#"{"a":{"b":2}}"#)
    #expect(try await server.send(call, as: JSONView.self, at: "a")["b"]?.int == 2)
    respond(#"{"a":{"b":2}}"#)
    #expect(try await server.send(call, as: JSONDocument.self)["a"]?["b"]?.int == 2)
    respond(#"{"a":{"b":2}}"#)
    #expect(try await server.send(call, as: JSONAny.Object.self, at: "a").text() == #"{"b":2}"#)
  }

  @Test func `text and bytes are the body, and with a path a value of the JSON`() async throws {
    transport.enqueue(.text("\"Grüße\""))
    #expect(try await server.send(call, as: String.self) == "\"Grüße\"")
    transport.enqueue(.bytes([0xE9], type: "text/plain; charset=latin1"))
    #expect(try await server.send(call, as: String.self) == "é")
    transport.enqueue(.bytes([0, 1, 255]))
    #expect(try await server.send(call, as: [UInt8].self) == [0, 1, 255])
    transport.enqueue(.bytes([0, 1, 255]))
    #expect(try await server.send(call, as: Data.self) == Data([0, 1, 255]))
    transport.enqueue(.status(204))
    #expect(try await server.send(call, as: String.self) == "")
    respond(#"{"name":"Ada","bytes":[1,2],"data":"AQI="}"#)
    #expect(try await server.send(call, as: String.self, at: "name") == "Ada")
    respond(#"{"bytes":[1,2]}"#)
    #expect(try await server.send(call, as: [UInt8].self, at: "bytes") == [1, 2])
    respond(#"{"data":"AQI="}"#)
    #expect(try await server.send(call, as: Data.self, at: "data") == Data([1, 2]))
  }

  // MARK: - Choosing

  @Test func `a type with a table that is also decodable is mapped, unless a decoder is passed`()
    async throws
  {
    let json = #"{"id":1,"mapped":{"id":2}}"#
    respond(json)
    #expect(try await server.send(call, as: Both.self) == Both(id: 2))
    respond(json)
    #expect(try await server.send(call, as: Both.self, mapper: ItemMapper()) == Both(id: 2))
    respond(json)
    #expect(try await server.send(call, as: Both.self, decoder: ItemDecoder()) == Both(id: 1))
    respond("[\(json)]")
    #expect(try await server.send(call, as: [Both].self) == [Both(id: 2)])
    respond("[\(json)]")
    #expect(try await server.send(call, as: [Both].self, decoder: ItemDecoder()) == [Both(id: 1)])
    respond(#"{"a":\#(json)}"#)
    #expect(try await server.send(call, as: Both?.self, at: "a") == Both(id: 2))
    respond(json)
    #expect(try await server.send(call, as: Both.self) { _ in } == Both(id: 2))
  }

  // MARK: - Reports

  @Test func `a report lists what was not as expected`() async throws {
    respond(#"[{"id":"1"},{"id":2,"book":{"title":[]}},{}]"#)
    var reports: [MappingReport] = []
    let books = try await server.send(call, as: [Book].self) { reports.append($0) }
    #expect(books.map(\.id) == [1, 2])
    #expect(reports.map(\.droppedItems) == [1])
    #expect(reports.first?.groups.map(\.effect) == [.used, .kept, .dropped])
  }

  @Test func `a clean response has no report`() async throws {
    respond(#"[{"id":1}]"#)
    var reports = 0
    _ = try await server.send(call, as: [Book].self) { _ in reports += 1 }
    #expect(reports == 0)
  }

  @Test func `without a report, a list with an unreadable element is an error`() async throws {
    respond(#"{"list":[{"id":1,"book":{"title":[]}},{"book":{}},{"id":3}]}"#)
    let error = await #expect(throws: LoadError.self) {
      try await server.send(call, as: [Book].self, at: "list")
    }
    #expect(
      "\(try #require(error))"
        == "$['list'][1]['id']: Book.id expects Int, found nothing (dropped)")
    respond(#"{"a":{"pricing":{"amount":1}},"b":{}}"#)
    await #expect(throws: LoadError.self) {
      try await server.send(call, as: [String: Price].self)
    }
  }

  // MARK: - Isolation

  /// Marks the main queue, which any thread may serve.
  private static let onMain = DispatchSpecificKey<Bool>()

  private static var isOnMain: Bool { DispatchQueue.getSpecific(key: onMain) == true }

  @MainActor @Test func `values are read off the caller's actor`() async throws {
    DispatchQueue.main.setSpecific(key: Self.onMain, value: true)
    #expect(Self.isOnMain)
    respond("{}")
    let mapped = try await server.send(call, as: WhereRead.self)
    #expect(!mapped.isMain)
    respond("{}")
    let decoded = try await server.send(call, as: WhereDecoded.self)
    #expect(!decoded.isMain)
  }

  struct WhereRead: JSONValue {
    var isMain = true
    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> WhereRead? {
      WhereRead(isMain: ServerValueTests.isOnMain)
    }
    func write(as style: JSONAny.Style) -> JSONAny? { nil }
  }

  struct WhereDecoded: Decodable {
    var isMain = true
    init(from decoder: any Decoder) { isMain = ServerValueTests.isOnMain }
  }

  @MainActor @Test func `an item that is not sendable reaches the main actor`() async throws {
    respond(#"{"id":7}"#)
    let book = try await server.send(call, as: Book.self)
    book.title = "changed here"
    #expect(book.id == 7)
  }

  // MARK: - Errors

  static let failures: [(MockResponse, LoadError)] = [
    (.status(500), .request(RequestError(.status(500)))),
    (.failure(.cancelled(.byCaller)), .request(RequestError(.cancelled(.byCaller)))),
  ]

  @Test(arguments: failures)
  func `a failed call keeps its kind`(response: MockResponse, expected: LoadError) async throws {
    transport.enqueue(response)
    let error = await #expect(throws: LoadError.self) {
      try await server.send(call, as: Me.self)
    }
    guard case .request(let error) = error, case .request(let expected) = expected else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(error.kind == expected.kind)
    #expect(error.request.hasPrefix("GET https://test/me"))
  }

  @Test(arguments: [
    ("", "the text is empty"), ("<html>", "unexpected character"),
    (
      #"{"data":{"Id":1,"name":"a"}}"#,
      "can't decode Me: no value at $['data']['id']; did you mean 'Id'?"
    ),
    (
      #"{"data":{"name":"a"}}"#,
      "can't decode Me: no value at $['data']['id']; make the property optional if it may be missing"
    ),
    (
      #"{"data":{"id":1,"name":null}}"#,
      "can't decode Me: expected String at $['data']['name'], found null; "
        + "make the property optional if it may be null"
    ),
    (
      #"{"data":{"id":"x","name":"a"}}"#,
      "can't decode Me: $['data']['id']: expected a number for Int, found a string"
    ),
    (#"{"Data":{}}"#, "no value at $['data']: $ is an object; did you mean 'Data'?"),
  ])
  func `a response that is not decodable says where and what to do`(
    json: String, text: String
  ) async throws {
    respond(json)
    let error = await #expect(throws: LoadError.self) {
      try await server.send(call, as: Me.self, at: "data")
    }
    #expect("\(try #require(error))".contains(text), "\(error as Any)")
  }

  @Test(arguments: [
    (#"{"data":{"name":"a"}}"#, "$['data']['id']: Book.id expects Int, found nothing (dropped)"),
    (#"{"data":[]}"#, "$['data']: expects Book, found an empty array (dropped)"),
    (#"{"Data":{}}"#, "no value at $['data']: $ is an object; did you mean 'Data'?"),
  ])
  func `a response that can't be mapped says where and what was expected`(
    json: String, text: String
  ) async throws {
    respond(json)
    let error = await #expect(throws: LoadError.self) {
      try await server.send(call, as: Book.self, at: "data")
    }
    #expect("\(try #require(error))" == text)
  }

  @Test func `text in an unknown character set names the request`() async throws {
    transport.enqueue(.bytes([0xFF], type: "text/plain; charset=utf-8"))
    let error = await #expect(throws: LoadError.self) {
      try await server.send(call, as: String.self)
    }
    guard case .request(let error) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(error.kind == .undecodable("the body is not valid utf-8"))
    #expect(error.request == "GET https://test/me")
    #expect(error.attempts.count == 1)
  }
}
