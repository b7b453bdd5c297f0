import Foundation
import Testing

@testable import ItemMapping

@Suite struct PageReaderTests {
  struct Track: Decodable, Equatable {
    struct Artist: Decodable, Equatable { let name: String }
    let id: Int
    let title: String
    var artist: Artist?
  }

  private func page(_ text: String) -> PageBytes { PageBytes(text.utf8) }

  @Test func `a page has its items and the document around them`() throws {
    let decoder = PageReader<Work>.items(at: "data.list")
    let page = try decoder.decode(
      page(#"{"next":"c2","data":{"list":[{"id":1,"title":"A"},{"id":2}]}}"#))
    #expect(page.items.map(\.id) == [1, 2])
    #expect(page.report.isClean)
    #expect(page.envelope?["next"]?.string == "c2")
  }

  @Test func `pages of numbers and strings are pages too`() throws {
    #expect(try PageReader<Int>.items().decode(page("[1,2,3]")).items == [1, 2, 3])
    #expect(try PageReader<String>.items(at: "n").decode(page(#"{"n":["a"]}"#)).items == ["a"])
  }

  @Test func `bytes with padding are read in place`() throws {
    let text = Array(#"[{"id":1}]"#.utf8)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count + 64, alignment: 1)
    memory.copyBytes(from: text)
    let bytes = UnsafeRawBufferPointer(rebasing: memory[..<text.count])
    let document = try JSONDocument(PageBytes(unsafeBytes: bytes, padding: 64, keeping: 0))
    #expect(UnsafeRawPointer(document.text.baseAddress) == bytes.baseAddress)
    let copied = try JSONDocument(PageBytes(unsafeBytes: bytes, padding: 63, keeping: 0))
    #expect(UnsafeRawPointer(copied.text.baseAddress) != bytes.baseAddress)
    withExtendedLifetime(document) { memory.deallocate() }
  }

  @Test func `one bad element of a Decodable list is dropped and reported`() throws {
    let text = """
      {"list":[{"id":1,"title":"a"},{"id":"2","title":"b"},{"id":3,"titel":"c"},null,
      {"id":4,"title":"d","artist":{"name":null}},{"id":5,"title":"e","artist":{"name":"E"}}]}
      """
    let page = try PageReader<Track>.decodables(at: "list").decode(page(text))
    #expect(page.items.map(\.id) == [1, 5])
    #expect(page.items.last?.artist == Track.Artist(name: "E"))
    #expect(page.report.count(.dropped) == 4)
    #expect(
      page.report.description == """
        $['list'][1]['id']: Track.id expects Int, found string "2" (dropped)
        $['list'][2]['title']: Track.title expects a value, found nothing (dropped); \
        did you mean 'titel'?
        $['list'][3]: Track expects [String: Any], found null (dropped)
        $['list'][4]['artist']['name']: Track.artist.name expects String, found null (dropped)
        """)
  }

  @Test func `the same issue in many elements is one line`() throws {
    let rows = (0..<100).map { #"{"id":\#($0 % 10 == 0 ? "\"x\"" : "\($0)"),"title":""}"# }
    let page = try PageReader<Track>.decodables().decode(page("[\(rows.joined(separator: ","))]"))
    #expect(page.items.count == 90)
    #expect(page.report.groups.count == 1)
    #expect(page.report.groups[0].count == 10)
    #expect(page.report.groups[0].total == 100)
    #expect(page.report.groups[0].samples.count == 3)
    #expect(
      page.report.description
        == "10 of 100 times: $[0]['id']: Track.id expects Int, found string \"x\" (dropped)")
  }

  @Test func `a Decodable list can fail at the first loss`() {
    var mapper = ItemMapper()
    mapper.failsFast = true
    let decoder = PageReader<Track>.decodables(mapper: mapper)
    let error = #expect(throws: MappingError.self) {
      try decoder.decode(page(#"[{"id":1,"title":"a"},{"id":2}]"#))
    }
    #expect(
      error?.description
        == "$[1]['title']: Track.title expects a value, found nothing (dropped)")
  }

  @Test func `the strategies of a decoder apply to the elements of a page`() throws {
    struct Row: Decodable { let createdAt: Date }
    var decoder = ItemDecoder()
    decoder.keyStrategy = .convertFromSnakeCase
    decoder.dateStrategy = .secondsSince1970
    let page = try PageReader<Row>.decodables(decoder: decoder).decode(
      page(#"[{"created_at":60}]"#))
    #expect(page.items.map(\.createdAt) == [Date(timeIntervalSince1970: 60)])
  }

  @Test(arguments: [
    (
      "{\"list\":[1,}",
      "invalid JSON at line 1, column 12 (byte 11): unexpected character, expected a value or ']', near “{\"list\":[1,}”"
    ),
    (
      #"{"data":{"lists":[]}}"#,
      "no value at $['data']['list']: $['data'] is an object; did you mean 'lists'?"
    ),
    (#"{"data":null}"#, "no value at $['data']['list']: $['data'] is null"),
    (
      #"{"data":{"list":{"a":1}}}"#,
      "can't map the response: expected an array at $['data']['list'], found an object"
    ),
    (
      #"{"data":{"list":"none"}}"#,
      "can't map the response: expected an array at $['data']['list'], found string \"none\""
    ),
  ])
  func `a page that can't be read is reported with the path and the expected value`(
    text: String, message: String
  ) {
    let error = #expect(throws: MappingError.self) {
      try PageReader<Work>.items(at: "data.list").decode(page(text))
    }
    #expect(error?.description == message)
  }

  @Test func `another format can replace JSON`() throws {
    struct Lines: PageDecoder {
      func decode(_ bytes: PageBytes) throws -> sending DecodedPage<String> {
        let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let facts = try JSONDocument(["more": false] as JSONAny).root
        return DecodedPage(items: text.split(separator: "\n").map(String.init), envelope: facts)
      }
    }
    for decoder: any PageDecoder<String> in [Lines(), PageReader<String>.format(Lines())] {
      let page = try decoder.decode(page("a\nb\n"))
      #expect(page.items == ["a", "b"])
      #expect(page.envelope?["more"]?.bool == false)
    }
  }

  @MainActor @Test func `items are created off the caller's actor and handed over`() async throws {
    let bytes = page(#"[{"id":1,"title":"a"}]"#)
    let mapped = try await ItemMapper().items(Work.self, from: bytes)
    mapped.value[0].title = "changed on the main actor"
    let page = try await PageReader<Work>.items().page(bytes)
    page.items[0].title = "and this one too"
    #expect(mapped.value[0] != page.items[0])
  }
}
