import Foundation
import Quire
import QuireTesting
import Testing

/// The samples of “When the server lies”, in their order.
@Suite struct LiesSamples {
  final class Book: BaseItem {
    var id = 0
    var title = ""
    var price: Decimal?
    var stock = 0
    var tags: [String] = []
    var token = ""

    override class var fields: FieldTable {
      FieldTable(Book.self) { f in
        f(\.id, "id", .required)
        f(\.title, "title")
        f(\.price, "price")
        f(\.stock, "stock", .default(-1))
        f(\.tags, "tags")
        f(\.token, "token", .sensitive)
      }
    }
  }

  private static let page = """
    {"data": {"list": [
      {"id": 1, "title": "Emma", "price": 12.50, "stock": 3},
      {"id": "2", "title": null, "price": "n/a", "stock": 1.5},
      {"ID": 3, "title": "Sanditon"},
      "nothing",
      {"id": 5, "title": "Persuasion", "price": "", "tags": ["used", null, 7], "token": true}
    ]}}
    """

  private func count(_ times: Int, _ what: String) {}

  @Test func `a report lists what was wrong`() throws {
    let document = try JSONDocument(Self.page)
    let books = try ItemMapper().items(Book.self, in: document, at: "data.list")
    for book in books.value { print(book) }
    print(books.report)
    #expect(
      books.value.map(\.debugDescription).joined(separator: "\n") == """
        Book(id: 1, title: "Emma", price: 12.5, stock: 3, tags: [], token: hidden)
        Book(id: 2, title: "", price: nil, stock: -1, tags: [], token: hidden)
        Book(id: 5, title: "Persuasion", price: nil, stock: -1, tags: ["used","7"], token: hidden)
        """)
    #expect(
      books.report.description == """
        $['data']['list'][1]['id']: Book.id expects Int, found string "2" (converted)
        $['data']['list'][1]['price']: Book.price expects Decimal, found string "n/a" (property unchanged)
        $['data']['list'][1]['stock']: Book.stock expects Int, found number 1.5 (default used)
        $['data']['list'][2]['id']: Book.id expects Int, found nothing (dropped); did you mean 'ID'?
        $['data']['list'][3]: expects Book, found string "nothing" (dropped)
        $['data']['list'][4]['tags'][1]: Book.tags expects String, found null (dropped)
        $['data']['list'][4]['tags'][2]: Book.tags expects String, found number 7 (converted)
        $['data']['list'][4]['token']: Book.token expects String, found hidden (property unchanged)
        """)
    for group in books.report.groups {
      guard let issue = group.samples.first, issue.effect != .used else { continue }
      count(group.count, "\(issue.target) \(issue.kind)")
    }
    #expect(books.report.count(.dropped) == 3)
    #expect(books.report.count(.used) == 2)
  }

  @Test func `a repeated issue is one line`() throws {
    let many = JSONAny.array((1...500).map { ["id": .int($0), "stock": $0 < 3 ? 1 : "many"] })
    let books = try ItemMapper().items(Book.self, in: JSONDocument(many.text()))
    print(books.report)
    #expect(
      books.report.description == """
        498 of 500 times: $[2]['stock']: Book.stock expects Int, found string "many" (default used)
        """)
  }

  final class Account: BaseItem {
    var number = ""
    var balance = Decimal(0)
    var visits = 0
    var owners: [String] = []

    override class var fields: FieldTable {
      FieldTable(Account.self) { f in
        f(\.number, "number", .required)
        f(\.balance, "balance", .required, .strict)
        f(\.visits, "visits", .boolsAsNumbers)
        f(\.owners, "owners", .elements(.fail))
      }
    }
  }

  @Test(arguments: [
    (
      #"{"number": null, "balance": 1}"#,
      "$['number']: Account.number expects String, found null (dropped)"
    ),
    (
      #"{"number": "17", "balance": "1.10"}"#,
      "$['balance']: Account.balance expects Decimal, found string \"1.10\" (dropped)"
    ),
    (
      #"{"number": "17", "balance": 1, "owners": [[]]}"#,
      "$['owners'][0]: Account.owners expects String, found an empty array (dropped)"
    ),
  ])
  func `a bad value of a required field drops the item`(text: String, message: String) throws {
    let document = try JSONDocument(text)
    let error = #expect(throws: MappingError.self) {
      try ItemMapper().item(Account.self, in: document)
    }
    #expect(error?.description == message)
  }

  @Test func `a field has rules of its own`() throws {
    let account = try ItemMapper().item(
      Account.self, in: JSONDocument(#"{"number": 17, "balance": 1.10, "visits": true}"#))
    #expect(account.value.number == "17")
    #expect(account.value.visits == 1)
  }

  enum Cover: String, JSONValue { case soft, hard }

  final class Shelf: BaseItem {
    var int = -7
    var small = Int8(-7)
    var double = -7.0
    var bool = false
    var string = "-7"
    var maybe: Int?
    var flag: Bool?
    var link: URL?
    var day: Date?
    var cover: Cover?
    var open = OpenEnum<Cover>.known(.soft)
    var list: [Int] = []
    var book: Book?

    override class var fields: FieldTable {
      FieldTable(Shelf.self) { f in
        f(\.int)
        f(\.small)
        f(\.double)
        f(\.bool)
        f(\.string)
        f(\.maybe)
        f(\.flag)
        f(\.link)
        f(\.day)
        f(\.cover)
        f(\.open)
        f(\.list)
        f(\.book)
      }
    }
  }

  @Test(arguments: [
    ("int", ["1.0", "1e3", #""42""#, #""1.0""#], MappingReport.Issue.Effect.used),
    ("int", ["1.5", #""1.5""#, "9223372036854775808", "true"], .kept),
    ("int", [#"" 42""#, #""+42""#, #""nan""#, #""4 €""#, #""""#], .kept),
    ("small", ["128", #""128""#], .kept),
    ("double", [#""1.5""#], .used),
    ("double", ["1e999", "false"], .kept),
    ("bool", ["0", "1", #""0""#, #""1""#, #""true""#, #""false""#], .used),
    ("bool", ["2", #""yes""#], .kept),
    ("string", ["7", "1.10"], .used),
    ("string", ["true", "{}", "[]"], .kept),
    ("maybe", [#""""#, "null"], nil),
    ("flag", [#""""#], nil),
    ("link", [#""""#], nil),
    ("day", [#""""#], nil),
    ("day", ["1767225600"], .kept),
    ("cover", [#""leather""#], .kept),
    ("open", [#""leather""#], nil),
    ("list", ["1"], .kept),
    ("book", [#""""#, "[]"], .kept),
  ])
  func `values are converted as the table says`(
    name: String, values: [String], effect: MappingReport.Issue.Effect?
  ) throws {
    for value in values {
      let shelf = try ItemMapper().item(
        Shelf.self, in: JSONDocument(#"{"\#(name)": \#(value)}"#))
      #expect(shelf.report.groups.first?.samples.first?.effect == effect, "\(name): \(value)")
    }
  }

  @Test func `a strict mapper fails at the first conversion`() throws {
    let document = try JSONDocument(Self.page)
    var mapper = ItemMapper()
    mapper.isStrict = true
    mapper.failsFast = true
    let error = #expect(throws: MappingError.self) {
      try mapper.items(Book.self, in: document, at: "data.list")
    }
    #expect(
      error?.description == """
        $['data']['list'][1]['id']: Book.id expects Int, found string "2" (dropped)
        """)
  }

  @Test func `invalid texts are repaired and reported`() throws {
    let document = try JSONDocument(
      "\u{FEFF}{\"id\": 6, \"title\": \"\\ud83d\", \"price\": 98765432109876543210}")
    let book = try ItemMapper().item(Book.self, in: document)
    print(book.report)
    #expect(book.value.price == Decimal(string: "98765432109876543210"))
    #expect(book.value.title == "\u{FFFD}")
    #expect(
      book.report.description == """
        byte 0: a byte order mark was skipped
        byte 23: a lone surrogate was replaced by U+FFFD
        byte 41: a number beyond 64 bits was kept as text
        """)
  }

  private func show(_ value: some Sendable) {}

  @Test func `an error is thrown if there is nothing to return`() throws {
    let body = ResponseBody(text: Self.page)
    do {
      let document = try JSONDocument(body)
      let book = try ItemMapper().item(Book.self, in: document, at: "data.list[0]").value
      show(book.title)
    } catch let fault as JSONError {
      show("This is not JSON: see line \(fault.line).")
    } catch MappingError.notFound(let path, _, _) {
      show("The response has no \(path).")
    } catch {
      show("\(error)")
    }
    let errors = [
      ("{\"list\": [1,\n 2}", "list"), (Self.page, "data.lists"), (Self.page, "data"),
    ].map { text, path in
      #expect(throws: (any Error).self) {
        try ItemMapper().items(
          Book.self, in: JSONDocument(ResponseBody(text: text)), at: JSONPath(parsing: path))
      }
    }
    let one = #expect(throws: (any Error).self) {
      try ItemMapper().item(Book.self, in: JSONDocument(body), at: "data.list[2]")
    }
    #expect(
      (errors + [one]).map { $0.map { "\($0)" } ?? "" }.joined(separator: "\n") == """
        invalid JSON at line 2, column 3 (byte 15): unexpected character, expected ',' or ']', near “{"list": [1,  2}”
        no value at $['data']['lists']: $['data'] is an object; did you mean 'list'?
        can't map the response: expected an array at $['data'], found an object
        $['data']['list'][2]['id']: Book.id expects Int, found nothing (dropped); did you mean 'ID'?
        """)
  }

  @MainActor @Test func `responses that say that they failed`() async {
    let transport = MockTransport { _ in .json(#"{"meta":{"state":"broken"},"status":"error"}"#) }
    let server = Server("https://test", transport: transport)
    let books = ListModel<Book>(server, "/books", paging: .automatic) {
      $0.failures.add("meta.state", "broken")
      $0.failures.remove("status")
    }
    guard case .failed = await books.refresh().outcome else {
      Issue.record("\(books.state(of: .next))")
      return
    }
  }
}

extension LiesSamples.Book: Identifiable {}
