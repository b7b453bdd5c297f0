import Testing

@testable import ItemMapping

@Suite struct FieldRuleEmptyTests {
  final class Letter: BaseItem {
    var sender: Writer?
    var receiver = Writer()
    var price: Price?
    var cost = Price()
    var tags: [String: Int] = ["a": 1]
    var plain: Writer?
    var signer = Writer()
    var people: [Writer] = []

    override class var fields: FieldTable {
      FieldTable(Letter.self) { f in
        f(\.sender, "sender", .emptyAsAbsent)
        f(\.receiver, "receiver", .emptyAsAbsent)
        f(\.price, "price", .emptyAsAbsent)
        f(\.cost, "cost", .emptyAsAbsent)
        f(\.tags, "tags", .emptyAsAbsent)
        f(\.plain, "plain")
        f(\.signer, "signer", .required, .emptyAsAbsent)
        f(\.people, "people", .emptyAsAbsent)
      }
    }
  }

  static let signer = #""signer":{"name":"S"}"#

  @Test(arguments: ["[]", "\"\""])
  func `an empty string or array counts as a missing object`(_ empty: String) throws {
    for isStrict in [false, true] {
      var mapper = ItemMapper()
      mapper.isStrict = isStrict
      let mapped = try read(
        Letter.self,
        """
        {\(Self.signer),"sender":\(empty),"receiver":\(empty),"price":\(empty),"cost":\(empty),
         "tags":\(empty)}
        """, by: mapper)
      #expect(mapped.value.sender == nil)
      #expect(mapped.value.receiver.name == "")
      #expect(mapped.value.price == nil)
      #expect(mapped.value.cost == Price())
      #expect(mapped.value.tags == ["a": 1])
      #expect(mapped.report.description == "")
    }
  }

  @Test(arguments: ["[]", "\"\""])
  func `an empty string or array is reported if no rule allows it`(_ empty: String) throws {
    let mapped = try read(Letter.self, "{\(Self.signer),\"plain\":\(empty)}")
    #expect(mapped.value.plain == nil)
    #expect(mapped.report.count(.kept) == 1)
  }

  @Test func `the mapper allows it for all fields`() throws {
    var mapper = ItemMapper()
    mapper.emptyAsAbsent = true
    let mapped = try read(Letter.self, "{\(Self.signer),\"plain\":[]}", by: mapper)
    #expect(mapped.report.isClean)
  }

  @Test(arguments: ["[1]", "\"x\"", "0", "false"])
  func `any other value is reported as not an object`(_ value: String) throws {
    let mapped = try read(Letter.self, "{\(Self.signer),\"sender\":\(value),\"cost\":\(value)}")
    #expect(mapped.report.count(.kept) == 2)
  }

  @Test(arguments: ["[]", "\"\""])
  func `a required object that is empty is reported`(_ empty: String) throws {
    let mapped = try ItemMapper().items(Letter.self, in: JSONDocument("[{\"signer\":\(empty)}]"))
    #expect(mapped.value.isEmpty)
    #expect(mapped.report.count(.dropped) == 1)
    #expect(mapped.report.groups.first?.samples.first?.path == "[0].signer")
  }

  @Test func `an empty string or array clears like null in an update`() throws {
    let letter = try read(
      Letter.self, "{\(Self.signer),\"sender\":{\"name\":\"A\"},\"price\":{\"amount\":1}}"
    ).value
    let report = try ItemMapper().update(
      letter, from: JSONDocument(#"{"sender":[],"price":""}"#))
    #expect(letter.sender == nil)
    #expect(letter.price == nil)
    #expect(report.isClean)
  }

  @Test func `an empty outermost value is reported despite the rule`() {
    var mapper = ItemMapper()
    mapper.emptyAsAbsent = true
    #expect(
      outcome(Letter.self, "[]", by: mapper)
        == Outcome("unusable", "$: expects Letter, found an empty array (dropped)"))
  }
}
