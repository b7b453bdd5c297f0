import Foundation
import Testing

@testable import ItemMapping

@Suite struct FieldRuleTests {
  final class Rules: BaseItem {
    var required = 1
    var requiredOption: Int?
    var fallback = 1
    var optionFallback: Int? = 1
    var strict = 1
    var lenient = "one"
    var plain = 1
    var bools = 1
    var single = [1]
    var singleOption: [String]?
    var option: Int? = 1
    var text: String? = "one"

    override class var fields: FieldTable {
      FieldTable(Rules.self) { f in
        f(\.required, "r", .required)
        f(\.requiredOption, "ro", .required)
        f(\.fallback, "d", .default(7))
        f(\.optionFallback, "od", .default(7))
        f(\.strict, "s", .strict)
        f(\.lenient, "l", .lenient)
        f(\.plain, "p")
        f(\.bools, "b", .boolsAsNumbers)
        f(\.single, "one", .single)
        f(\.singleOption, "ones", .single)
        f(\.option, "o")
        f(\.text, "t")
      }
    }

    /// The differences from a new item.
    var changes: String {
      let usual = Rules().jsonObject
      return jsonObject.filter { usual[$0.name] != $0.value && $0.name != "r" && $0.name != "ro" }
        .map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
  }

  struct Case: CustomTestStringConvertible {
    let json: String
    var changes = "d=7 od=7"
    var report = ""
    var strictReport: String?
    var strictChanges: String?
    var testDescription: String { json }
  }

  static let cases = [
    Case(json: "{}"),
    // A default replaces missing, null and invalid values.
    Case(json: #"{"d":2,"od":3}"#, changes: "d=2 od=3"),
    Case(
      json: #"{"d":null,"od":2}"#, changes: "d=7 od=2",
      strictReport: "$['d']: Rules.fallback expects Int, found null (default used)"),
    Case(
      json: #"{"d":"x","od":[]}"#,
      report: """
        $['d']: Rules.fallback expects Int, found string "x" (default used)
        $['od']: Rules.optionFallback expects Int, found an empty array (default used)
        """),
    // Null is invalid for a type that is not optional.
    Case(
      json: #"{"p":null,"one":null,"l":null}"#,
      strictReport: """
        $['p']: Rules.plain expects Int, found null (property unchanged)
        $['one']: Rules.single expects [Int], found null (property unchanged)
        """),
    Case(json: #"{"o":null,"t":null,"ones":null}"#, changes: "d=7 od=7", report: ""),
    // Strict and lenient rules, per field and per mapper.
    Case(
      json: #"{"s":"2"}"#,
      report: "$['s']: Rules.strict expects Int, found string \"2\" (property unchanged)"),
    Case(
      json: #"{"l":2}"#, changes: "d=7 l=\"2\" od=7",
      report: "$['l']: Rules.lenient expects String, found number 2 (converted)"),
    Case(
      json: #"{"p":"2"}"#, changes: "d=7 od=7 p=2",
      report: "$['p']: Rules.plain expects Int, found string \"2\" (converted)",
      strictReport: "$['p']: Rules.plain expects Int, found string \"2\" (property unchanged)",
      strictChanges: "d=7 od=7"),
    // Booleans are numbers only if the field allows it.
    Case(
      json: #"{"p":true}"#,
      report: "$['p']: Rules.plain expects Int, found true (property unchanged)"),
    Case(
      json: #"{"b":false}"#, changes: "b=0 d=7 od=7",
      report: "$['b']: Rules.bools expects Int, found false (converted)",
      strictReport: "$['b']: Rules.bools expects Int, found false (property unchanged)",
      strictChanges: "d=7 od=7"),
    // A single value as an array of one.
    Case(json: #"{"one":5,"ones":"a"}"#, changes: "d=7 od=7 one=[5] ones=[\"a\"]"),
    Case(json: #"{"one":[5,6],"ones":[]}"#, changes: "d=7 od=7 one=[5,6] ones=[]"),
    Case(
      json: #"{"one":"x"}"#, changes: "d=7 od=7 one=[]",
      report: "$['one']: Rules.single expects Int, found string \"x\" (dropped)"),
    // An empty string is nil for an optional that is not a string, and the empty string for one
    // that is.
    Case(
      json: #"{"o":"","t":""}"#, changes: "d=7 od=7 t=\"\"",
      strictReport: "$['o']: Rules.option expects Int, found string \"\" (property unchanged)"),
    Case(
      json: #"{"p":""}"#,
      report: "$['p']: Rules.plain expects Int, found string \"\" (property unchanged)"),
  ]

  private func check(_ test: Case, strict: Bool) throws {
    var mapper = ItemMapper()
    mapper.isStrict = strict
    let text = #"{"r":1,"ro":1"# + (test.json == "{}" ? "" : ",") + test.json.dropFirst()
    let mapped = try read(Rules.self, text, by: mapper)
    let changes = mapped.value.changes.split(separator: " ").sorted().joined(separator: " ")
    let report = strict ? test.strictReport ?? test.report : test.report
    #expect(changes == (strict ? test.strictChanges ?? test.changes : test.changes))
    #expect(mapped.report.description == report)
  }

  @Test(arguments: cases) func `rules decide how a value is read`(_ test: Case) throws {
    try check(test, strict: false)
  }

  @Test(arguments: cases) func `a strict mapper accepts only the property's own type`(_ test: Case)
    throws
  {
    try check(test, strict: true)
  }

  @Test func `an optional cleared by null is nil`() throws {
    let rules = try read(Rules.self, #"{"r":1,"ro":1,"o":null,"t":null}"#).value
    #expect(rules.option == nil)
    #expect(rules.text == nil)
  }

  static let required = [
    (#"{"ro":1}"#, "$['r']: Rules.required expects Int, found nothing (dropped)"),
    (#"{"r":null,"ro":1}"#, "$['r']: Rules.required expects Int, found null (dropped)"),
    (#"{"r":"x","ro":1}"#, "$['r']: Rules.required expects Int, found string \"x\" (dropped)"),
    (#"{"r":1.5,"ro":1}"#, "$['r']: Rules.required expects Int, found number 1.5 (dropped)"),
    (#"{"r":[],"ro":1}"#, "$['r']: Rules.required expects Int, found an empty array (dropped)"),
    (#"{"r":1,"ro":{}}"#, "$['ro']: Rules.requiredOption expects Int, found an object (dropped)"),
    (
      // Only the reason is reported, not the other problems.
      #"{"p":"x","s":"1","r":null,"ro":1}"#,
      "$['r']: Rules.required expects Int, found null (dropped)"
    ),
    ("[]", "$: expects Rules, found an empty array (dropped)"),
    ("null", "$: expects Rules, found null (dropped)"),
    ("\"\"", "$: expects Rules, found string \"\" (dropped)"),
  ]

  @Test(arguments: required)
  func `a root item without a required value is an error with the reason`(
    _ json: String, _ error: String
  ) {
    #expect(outcome(Rules.self, json) == Outcome("unusable", error))
  }

  @Test func `each missing required value is reported`() throws {
    let mapped = try ItemMapper().items(Rules.self, in: JSONDocument("[{},{\"r\":1},{}]"))
    #expect(mapped.value.isEmpty)
    #expect(mapped.report.groups.map(\.count) == [2, 3])
    #expect(mapped.report.groups.map(\.total) == [3, 3])
  }
}
