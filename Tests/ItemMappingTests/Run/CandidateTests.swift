import Testing

@testable import ItemMapping

@Suite struct CandidateTests {
  final class Choice: BaseItem {
    var number = 0
    var option: Int? = 0
    var required = 0
    var fallback = 0
    var writer: Writer?
    var list: [Choice] = []
    var parts: [Part] = []

    override class var fields: FieldTable {
      FieldTable(Choice.self) { f in
        f(\.number, "n1", "deep.n", "n2")
        f(\.option, "o1", "o2")
        f(\.required, "r1", "r2", .required)
        f(\.fallback, "d1", "d2", .default(9))
        f(\.writer, "author", "writers[0]")
        f(\.list, "list", "deep.list")
        f(\.parts, "parts")
      }
    }
  }

  /// Has no candidates, and is nested between items that do.
  final class Part: BaseItem {
    var name = ""
    var choice: Choice?
    override class var fields: FieldTable {
      FieldTable(Part.self) { f in
        f(\.name, "name")
        f(\.choice, "choice")
      }
    }
  }

  static let cases: [(String, String)] = [
    // The first existing path wins, in the order of the table and not of the text.
    (#""n1":1,"n2":2"#, "number: 1"), (#""n2":2,"n1":1"#, "number: 1"),
    (#""n2":2,"deep":{"n":3}"#, "number: 3"), (#""n2":2"#, "number: 2"),
    // Null is skipped.
    (#""n1":null,"n2":2"#, "number: 2"), (#""n1":null,"deep":{"n":null},"n2":2"#, "number: 2"),
    (#""n1":null,"deep":null"#, "number: 0"), (#""n1":null,"deep":null,"n2":null"#, "number: 0"),
    // Other values are not, even if they can't be read.
    (#""n1":"x","n2":2"#, "number: 0"), (#""n1":1,"n2":"x""#, "number: 1"),
    // If all values are null, the result is null; if all are missing, it is missing.
    (#""o1":null"#, "option: nil"), (#""o2":null,"o1":null"#, "option: nil"),
    (#""o2":null"#, "option: nil"), ("", "option: 0"), (#""o1":null,"o2":4"#, "option: 4"),
    (#""d1":null"#, "fallback: 9"), ("", "fallback: 9"), (#""d2":4"#, "fallback: 4"),
    (#""d1":"x","d2":4"#, "fallback: 9"),
    // The first member with a name wins.
    (#""n2":2,"n2":3"#, "number: 2"),
    (#""author":null,"writers":[{"name":"A"}]"#, #"writer: {"name":"A"}"#),
  ]

  @Test(arguments: cases)
  func `the first path with a value other than null is used`(
    _ members: String, _ value: String
  ) throws {
    let text = "{" + members + (members.isEmpty ? "" : ",") + #""r1":1}"#
    let description = try read(Choice.self, text).value.debugDescription
    #expect(description.contains("(\(value),") || description.contains(" \(value),"))
  }

  static let required: [(String, String?)] = [
    (#"{"r1":1}"#, nil), (#"{"r2":1}"#, nil), (#"{"r1":null,"r2":1}"#, nil),
    ("{}", "$['r1']: Choice.required expects Int, found nothing (dropped)"),
    (#"{"r2":null}"#, "$['r2']: Choice.required expects Int, found null (dropped)"),
    (#"{"r1":"x","r2":1}"#, "$['r1']: Choice.required expects Int, found string \"x\" (dropped)"),
  ]

  @Test(arguments: required)
  func `a required value may be at any of its paths`(_ json: String, _ error: String?) {
    #expect(outcome(Choice.self, json).report == error.map { [$0] } ?? [])
  }

  @Test func `nested items have candidates of their own`() throws {
    let choice = try read(
      Choice.self,
      """
      {"n2":2,"deep":{"list":[{"n2":5,"r2":1},{"r1":1,"n1":6,"list":[{"r2":7,"deep":{"n":8}}]}]},
       "parts":[{"name":"p","choice":{"r2":3,"n2":4}}],"r2":9}
      """
    ).value
    #expect(choice.number == 2)
    #expect(choice.required == 9)
    #expect(choice.list.map(\.number) == [5, 6])
    #expect(choice.list.last?.list.map(\.number) == [8])
    #expect(choice.parts.first?.choice?.number == 4)
  }

  @Test func `an update keeps a property with none of its paths in the JSON`() throws {
    let choice = try read(Choice.self, #"{"r1":1,"n2":2,"d1":3}"#).value
    _ = try ItemMapper().update(choice, from: JSONDocument(#"{"o2":5}"#))
    #expect([choice.required, choice.number, choice.fallback] == [1, 2, 3])
    #expect(choice.option == 5)
  }

  @Test func `a value is written to the first path`() throws {
    let choice = try read(Choice.self, #"{"r2":1,"n2":2}"#).value
    #expect(choice.jsonObject["r1"] == 1)
    #expect(choice.jsonObject["n1"] == 2)
    #expect(choice.jsonObject["n2"] == nil)
  }
}
