import Foundation
import ServerAPI
import Testing

@Suite(.enabled(if: suites != nil, "set QUIRE_SUITES to the folder of the conformance suites"))
struct LinkHeaderSuite {
  private struct Cases: Decodable { var cases: [Case] }

  private struct Case: Decodable {
    var name: String
    var value: String
    var links: [Link]
    var wellFormed: Bool
    var disputed: Bool?
  }

  private struct Link: Decodable, Equatable {
    var target: String
    var rels: [String]
    var anchor: String?
    var attributes: [String: [String]]
    var languages: [String: String]?

    init(_ link: HTTPHeaders.Link) {
      target = link.target
      rels = link.relations
      anchor = link.anchor
      attributes = Dictionary(grouping: link.attributes, by: \.name).mapValues { $0.map(\.value) }
      let named = link.attributes.compactMap { attribute in
        attribute.language.map { (attribute.name, $0) }
      }
      languages = named.isEmpty ? nil : Dictionary(named) { first, _ in first }
    }
  }

  @Test func `every Link field has the links of RFC 8288`() throws {
    let file = URL(fileURLWithPath: try #require(suites)).appendingPathComponent("link-header.json")
    let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file)).cases
    #expect(cases.count == 137)
    var compared = 0
    for each in cases {
      let found = (["Link": each.value] as HTTPHeaders).links.map { Link($0) }
      guard each.disputed != true else { continue }
      if each.wellFormed {
        compared += 1
        #expect(found == each.links, "\(each.name): \(each.value.prefix(200))")
      } else {
        // The last link has the error; parsers may interpret it differently.
        #expect(
          found.starts(with: each.links.dropLast()), "\(each.name): \(each.value.prefix(200))")
      }
    }
    #expect(compared > 120)
  }
}
