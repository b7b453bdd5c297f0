import Support
import Testing

@testable import ItemMapping

@Suite struct JSONPlaceTests {
  /// Reads at the place of its first read.
  struct Late: JSONValue {
    static let first = Lock<ItemMapper.Run.Place?>(nil)
    var text = ""

    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Late? {
      let kept = first.withLock { first in
        first = first ?? place
        return first ?? place
      }
      return String.read(kept, in: &run).map { Late(text: $0) }
    }
    func write(as style: JSONAny.Style) -> JSONAny? { .string(text) }
  }

  @Test func `a place of one document is invalid in another`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let long = try JSONDocument("[[1,2,3,4,5,6,7,8],\"far away\"]")
      _ = try ItemMapper().item(Late.self, in: long, at: "[1]")
      _ = try ItemMapper().item(Late.self, in: JSONDocument("\"near\""))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("an ItemMapper.Run.Place was used with a document other than its own"))
  }

  /// Reads JSON within a string at the place of the string.
  struct Outside: JSONValue {
    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Outside? {
      guard let inner = try? JSONDocument("7") else { return nil }
      return run.within(inner, at: place) { $0.view(place).int.map { _ in Outside() } }
    }
    func write(as style: JSONAny.Style) -> JSONAny? { .null }
  }

  @Test func `the place of a string is invalid in the JSON within it`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try ItemMapper().item(Outside.self, in: JSONDocument("[\"7\"]"), at: "[0]")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("an ItemMapper.Run.Place was used with a document other than its own"))
  }

  @Test func `places are equal within a document but not across documents`() throws {
    let (a, b) = (try JSONDocument("[1]"), try JSONDocument("[1]"))
    let mapper = ItemMapper()
    #expect(
      try mapper.find("[0]", in: a, expected: nil) == mapper.find("[0]", in: a, expected: nil))
    #expect(
      try mapper.find("[0]", in: a, expected: nil) != mapper.find("[0]", in: b, expected: nil))
  }
}
