import Foundation
import Quire
import QuireTesting
import Testing

/// The samples of “Mapping items”, in their order.
@Suite struct MappingSamples {
  final class Book: BaseItem {
    var id = 0
    var title = ""
    var pages: Int?
    var author: Author?
    var tags: [String] = []

    override class var fields: FieldTable {
      FieldTable(Book.self) { f in
        f(\.id, "id", .required)
        f(\.title, "names.main", "title")
        f(\.pages, "facts.pages")
        f(\.author, "author")
        f(\.tags, "tags")
      }
    }
  }

  final class Author: BaseItem {
    var name = ""
    var born: Int?

    override class var fields: FieldTable {
      FieldTable(Author.self) { f in
        f(\.name, "name", .required)
        f(\.born, "born")
      }
    }
  }

  private static let page = """
    {"data": {"list": [
      {"id": 1, "names": {"main": "Emma"}, "author": {"name": "Jane Austen"}, "tags": ["novel"]},
      {"id": 2, "title": "Beowulf", "facts": {"pages": 99}, "author": null}
    ]}}
    """

  private let server = Server(
    "https://api.example.com", transport: MockTransport { _ in .json(Self.page) })

  @Test func `a response becomes items`() async throws {
    let response = try await server.send(Call("/books"))
    let document = try JSONDocument(response.body)
    let books = try ItemMapper().items(Book.self, in: document, at: "data.list")
    for book in books.value { print(book) }
    #expect(
      books.value.map(\.debugDescription).joined(separator: "\n") == """
        Book(id: 1, title: "Emma", pages: nil, author: {"name":"Jane Austen"}, tags: ["novel"])
        Book(id: 2, title: "Beowulf", pages: 99, author: nil, tags: [])
        """)
    #expect(books.report.isClean)
  }

  @Test func `a call returns items in one line`() async throws {
    let books = try await server.send(Call("/books"), as: [Book].self, at: "data.list") { report in
      print(report)
    }
    #expect(books.map(\.id) == [1, 2])
  }

  @MainActor @Test func `items are made away from the main actor`() async throws {
    let response = try await server.send(Call("/books"))
    let books = try await ItemMapper().items(
      Book.self, from: PageBytes(response.body), at: "data.list")
    #expect(books.value.count == 2)
  }

  final class Film: BaseItem {
    var filmID = 0
    var pageURL: URL?
    var minutes = 0
    var isSeen = false

    override class var fields: FieldTable {
      FieldTable(Film.self, naming: .snakeCase) { f in
        f(\.filmID)
        f(\.pageURL)
        f.ignore("seen")
      }
    }
  }

  @Test func `a table is checked against the class`() {
    print(FieldTable.Inspection(of: Film.self))
    #expect(
      FieldTable.Inspection(of: Film.self).description == #"""
        filmID: Int from $['film_id']
        pageURL: URL? from $['page_url']
        problem: f.ignore("seen"): no stored property has this name; correct or remove it
        problem: minutes: not mapped; add f(\.minutes, "…") or f.ignore("minutes")
        problem: isSeen: not mapped; add f(\.isSeen, "…") or f.ignore("isSeen")
        """#)
    #expect(FieldTable.Inspection(of: Film.self).suggestion.contains(#"f(\.minutes, "minutes")"#))
  }

  class Entry: BaseItem {
    final var id = 0

    override class var fields: FieldTable {
      FieldTable(Entry.self) { f in f(\.id, "id", .required) }
    }

    override class var variants: FieldTable.Variants? {
      FieldTable.Variants(key: "type", ["text": Text.self, "photo": Photo.self])
    }
  }

  final class Text: Entry {
    var text = ""

    override class var fields: FieldTable {
      FieldTable(Text.self) { f in f(\.text, "text") }
    }
  }

  @Test func `objects of a list may be of several classes`() throws {
    let document = try JSONDocument(
      """
      [{"type": "text", "id": 1, "text": "Hello"},
       {"type": "photo", "id": 2, "size": "40x30", "quality": 85, "exif": "{\\"lens\\": \\"50mm\\"}"},
       {"type": "poll", "id": 3}]
      """)
    let entries = try ItemMapper().items(Entry.self, in: document)
    for case let photo as Photo in entries.value { print(photo.id, photo.pixels) }
    print(entries.report)
    let photo = try #require(entries.value.last as? Photo)
    #expect(photo.pixels == 1200)
    #expect(photo.quality == 0.85)
    #expect(photo.exif == ["lens": "50mm"])
    #expect(photo.jsonObject["size"] == "40x30" && photo.jsonObject["quality"] == 85)
    #expect(
      entries.report.description == """
        $[2]: expects a variant of Entry, found an object (dropped); 'type' is "poll"
        """)
  }

  struct Price: ItemValue, Hashable {
    var amount = Decimal(0)
    var currency = "EUR"

    static var fields: FieldTable {
      FieldTable(Price.self) { f in
        f(\.amount, "amount", .required)
        f(\.currency, "currency")
      }
    }
  }

  enum Cover: String, JSONValue { case soft, hard }

  final class Offer: BaseItem {
    var price = Price()
    var formerly: [Price] = []
    var shops: [String: Price] = [:]
    var cover: Cover?
    var binding = OpenEnum<Cover>.known(.soft)
    var starts: Date?
    var ends: Date?

    override class var fields: FieldTable {
      FieldTable(Offer.self) { f in
        f(\.price, "$")
        f(\.formerly, "formerly", .single)
        f(\.shops, "shops")
        f(\.cover, "cover")
        f(\.binding, "binding")
        f(\.starts, "starts")
        f(\.ends, "ends", .date(.secondsSince1970, .pattern("dd.MM.yyyy HH:mm")))
      }
    }
  }

  @Test func `a property may have any of the supported types`() throws {
    let mapped = try ItemMapper().item(
      Offer.self,
      in: JSONDocument(
        """
        {"amount": 12.50, "formerly": {"amount": 14}, "shops": {"Bath": {"amount": 13}},
         "cover": "hard", "binding": "leather", "starts": "2026-01-01", "ends": "31.01.2026 18:00"}
        """))
    #expect(mapped.report.isClean)
    let offer = mapped.value
    #expect(offer.price == Price(amount: 12.5))
    #expect(offer.formerly == [Price(amount: 14)])
    #expect(offer.shops == ["Bath": Price(amount: 13)])
    #expect(offer.cover == .hard)
    #expect(offer.binding == .unknown("leather"))
    #expect(offer.starts == Date(timeIntervalSince1970: 1_767_225_600))
    #expect(offer.ends == Date(timeIntervalSince1970: 1_769_882_400))
  }

  struct Size: JSONValue, Hashable {
    var width = 0
    var height = 0

    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Size? {
      guard let text = String.read(place, in: &run) else { return nil }
      let sides = text.split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2 else { return run.refuse(place, expected: "a size such as 40x30") }
      return Size(width: sides[0], height: sides[1])
    }

    func write(as style: JSONAny.Style) -> JSONAny? { .string("\(width)x\(height)") }
  }

  final class Photo: Entry {
    var size = Size()
    var quality = 1.0
    var exif: [String: JSONAny] = [:]
    private(set) var pixels = 0

    override class var fields: FieldTable {
      FieldTable(Photo.self) { f in
        f(\.size, "size")
        f(\.quality, "quality", .convert({ try percent($0) / 100 }, back: { .double($0 * 100) }))
        f(\.exif, "exif", .jsonString)
        f.ignore("pixels")
      }
    }

    override func didMap(_ json: JSONView) throws { pixels = size.width * size.height }
  }

  private struct NoPercentage: Error {}

  private static func percent(_ json: JSONView) throws -> Double {
    guard let percent = json.double else { throw NoPercentage() }
    return percent
  }

  struct BookChange: ItemValue {
    var title = Omittable<String>.missing
    var pages = Omittable<Int>.missing

    static var fields: FieldTable {
      FieldTable(BookChange.self) { f in
        f(\.title, "title")
        f(\.pages, "facts.pages")
      }
    }
  }

  @Test func `missing members are not sent`() throws {
    var change = BookChange()
    change.pages = .null
    print(change.jsonObject)
    #expect(
      change.jsonObject.description == """
        {"facts":{"pages":null}}
        """)
  }

  @Test func `an update changes the mentioned members`() throws {
    let book = try ItemMapper().items(Book.self, in: JSONDocument(Self.page), at: "data.list")
      .value[1]
    let former = book.copied()
    let news = try JSONDocument(#"{"title": null, "facts": {"pages": 112}}"#)
    let report = try ItemMapper().update(book, from: news)
    print(book.jsonObject, book == former, report.isClean)
    #expect(
      "\(book.jsonObject) \(book == former) \(report.isClean)" == """
        {"id":2,"names":{"main":""},"facts":{"pages":112},"tags":[]} false true
        """)
    let body = RequestBody.json(book)
    #expect(body.length == 60)
  }

  struct Review: Decodable {
    var stars: Int
    var text: String?
  }

  @Test func `a Decodable type needs no table`() throws {
    let document = try JSONDocument(#"{"reviews": [{"stars": 5}, {"stars": "five"}]}"#)
    let reviews = try ItemMapper().items(
      Review.self, in: document, at: "reviews", decoder: ItemDecoder())
    print(reviews.value.count, reviews.report)
    #expect(
      "\(reviews.value.count) \(reviews.report)" == """
        1 $['reviews'][1]['stars']: Review.stars expects Int, found string "five" (dropped)
        """)
  }

  struct LineDecoder: PageDecoder {
    func decode(_ bytes: PageBytes) throws -> sending DecodedPage<String> {
      let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      return DecodedPage(items: text.split(separator: "\n").map(String.init))
    }
  }

  @Test func `a page may have another format`() async throws {
    let response = try await server.send(Call("/books"))
    let page = try await PageReader<Book>.items(at: "data.list").page(PageBytes(response.body))
    print(page.items.count, page.envelope?["data"]?.count ?? 0)
    #expect(page.items.count == 2)
    #expect(try await LineDecoder().page(PageBytes("Emma\nBeowulf".utf8)).items.count == 2)
  }
}
