import QuireTesting
import Testing

@testable import ItemMapping

/// Damaged paths and queries are parsed or rejected, and parsed ones can be run.
struct JSONPathMutationTests {
  private static let texts = [
    "$.books[?@.price < 10 && match(@.title, '[A-Z]+')].title", "data.list[0]['it\\'s']",
    "/a/b~1c/0",
    "$..[?length(@.a) >= 1e2 || !(@['x'] == \"\\ud83d\\ude00\")][1:-2:3, *]",
    "$[?count($..*) != -1]",
  ]
  private static let pieces = [
    "$", "@", ".", "..", "[", "]", "?", "(", ")", "*", ":", ",", "'", "\"", "\\", "!", "==", "&&",
    "-", "0",
    "9", "e", "/", "~", "\\u", "length(", "ä",
  ]

  @Test(arguments: try SeededGenerator.runs(2))
  func `any path is parsed or rejected, and any query that is parsed can be run`(
    _ seeded: SeededGenerator
  ) throws {
    let root = try JSONDocument(
      #"{"books":[{"price":1,"title":"AB"},{"a":"x"}],"data":{"list":[{"it's":1}]}}"#
    ).root
    var random = seeded
    var read = 0
    let rounds = Thoroughness.runs(4_000)
    for _ in 0..<rounds {
      for text in Self.texts {
        var scalars = Array(text.unicodeScalars)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<scalars.count, using: &random)
          if Bool.random(using: &random) { scalars.remove(at: place) }
          let piece = Self.pieces.randomElement(using: &random) ?? ""
          scalars.insert(contentsOf: piece.unicodeScalars, at: min(place, scalars.count))
        }
        let damaged = String(String.UnicodeScalarView(scalars))
        do throws(JSONPath.ParsingError) {
          let path = try JSONPath(parsing: damaged)
          let again = try JSONPath(parsing: path.description)
          #expect(again.description == path.description)
          _ = root.find(path)
        } catch {
          #expect(error.position <= scalars.count)
        }
        if let query = try? JSONQuery(damaged) {
          read += 1
          _ = try? root.query(query, budget: 10_000)
        }
      }
    }
    if Thoroughness.current != .brief { #expect(read > rounds / 20) }
  }
}
