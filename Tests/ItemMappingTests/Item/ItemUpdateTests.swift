import Foundation
import Testing

@testable import ItemMapping

@Suite struct ItemUpdateTests {
  final class Shop: BaseItem {
    var id = 0
    var name = "shop"
    var note: String?
    var owner: Writer?
    var keeper = Writer()
    var staff: [Writer] = []
    var price = Price(amount: 1, currency: "CHF")
    var rent: Price?
    var level = 5
    var staffByRole: [String: Writer] = [:]
    var change = Omittable<Int>.missing
    var settings: Settings?

    override class var fields: FieldTable {
      FieldTable(Shop.self) { f in
        f(\.id, "id", .required)
        f(\.name, "info.name", "name")
        f(\.note, "note")
        f(\.owner, "owner")
        f(\.keeper, "keeper")
        f(\.staff, "staff")
        f(\.price, "price")
        f(\.rent, "rent")
        f(\.level, "level", .default(3))
        f(\.staffByRole, "by_role")
        f(\.change, "change")
        f(\.settings, "settings", .jsonString)
      }
    }
  }

  final class Settings: BaseItem {
    var isOpen = true
    var depth = 1

    override class var fields: FieldTable {
      FieldTable(Settings.self) { f in
        f(\.isOpen, "open")
        f(\.depth, "depth", .default(9))
      }
    }
  }

  static func shop() throws -> Shop {
    try read(
      Shop.self,
      """
      {"id":1,"info":{"name":"Corner"},"note":"closed","owner":{"name":"Ann","born":1950},
       "keeper":{"name":"Bob","born":1960},"staff":[{"name":"C"},{"name":"D"}],
       "price":{"amount":2,"currency":"GBP"},"rent":{"amount":7,"currency":"USD"},"level":4,
       "by_role":{"boss":{"name":"E"}},"change":6,"settings":"{\\"open\\":false,\\"depth\\":2}"}
      """
    ).value
  }

  private func updated(_ text: String) throws -> (Shop, MappingReport) {
    let shop = try Self.shop()
    let report = try ItemMapper().update(shop, from: JSONDocument(text))
    return (shop, report)
  }

  @Test func `properties that are not mentioned are kept`() throws {
    let (shop, report) = try updated("{}")
    #expect(shop == (try Self.shop()))
    #expect(report.isClean)
  }

  @Test func `properties that are mentioned are set`() throws {
    let (shop, report) = try updated(
      #"{"name":"Main","note":"open","level":8,"change":null,"rent":{"amount":3}}"#)
    #expect(shop.name == "Main")
    #expect(shop.note == "open")
    #expect(shop.level == 8)
    #expect(shop.change == .null)
    #expect(shop.rent == Price(amount: 3, currency: "USD"))
    #expect(report.description == "")
  }

  @Test func `null clears to nil, to the field's default, or to that of a new item`() throws {
    let (shop, report) = try updated(
      #"{"name":null,"note":null,"owner":null,"staff":null,"price":null,"rent":null,"level":null}"#)
    #expect(shop.name == "shop")
    #expect(shop.note == nil)
    #expect(shop.owner == nil)
    #expect(shop.staff == [])
    #expect(shop.price == Price(amount: 1, currency: "CHF"))
    #expect(shop.rent == nil)
    #expect(shop.level == 3)
    #expect(report.description == "")
  }

  @Test func `nested items are updated in place`() throws {
    let shop = try Self.shop()
    let (owner, keeper) = (shop.owner, shop.keeper)
    _ = try ItemMapper().update(
      shop, from: JSONDocument(#"{"owner":{"born":1951},"keeper":{"name":"Rob"}}"#))
    #expect(shop.owner === owner)
    #expect(shop.keeper === keeper)
    #expect(owner?.name == "Ann")
    #expect(owner?.born == 1951)
    #expect(keeper.name == "Rob")
    #expect(keeper.born == 1960)
  }

  @Test func `structs are merged`() throws {
    let (shop, _) = try updated(#"{"price":{"amount":5},"rent":{"currency":"SEK"}}"#)
    #expect(shop.price == Price(amount: 5, currency: "GBP"))
    #expect(shop.rent == Price(amount: 7, currency: "SEK"))
  }

  @Test func `arrays and dictionaries are replaced`() throws {
    let shop = try Self.shop()
    let old = shop.staff
    _ = try ItemMapper().update(
      shop, from: JSONDocument(#"{"staff":[{"name":"C"}],"by_role":{"cook":{"name":"F"}}}"#))
    #expect(shop.staff.map(\.name) == ["C"])
    #expect(shop.staff.first !== old.first)
    #expect(shop.staffByRole.mapValues(\.name) == ["cook": "F"])
  }

  @Test func `a required value may be missing from an update, but not from new items in it`()
    throws
  {
    let (shop, report) = try updated(
      #"{"staff":[{"born":1},{"name":"G"}],"by_role":{"boss":{"born":1}}}"#)
    #expect(shop.id == 1)
    #expect(shop.staff.map(\.name) == ["G"])
    #expect(shop.staffByRole.isEmpty)
    #expect(report.count(.dropped) == 2)
  }

  @Test func `a new item in an update is read as in any mapping`() throws {
    let shop = Shop()
    let report = try ItemMapper().update(
      shop, from: JSONDocument(#"{"owner":{"born":1},"rent":{"currency":"EUR"},"settings":"{}"}"#))
    #expect(shop.owner == nil)
    #expect(shop.rent == nil)
    #expect(shop.settings?.depth == 9)
    #expect(report.count(.dropped) == 2)
  }

  @Test func `a value that can't be read changes nothing and is reported`() throws {
    let (shop, report) = try updated(#"{"level":"high","note":[],"owner":7,"staff":{}}"#)
    #expect(shop == (try Self.shop()))
    #expect(report.count(.kept) == 4)
  }

  @Test func `a required null ends the update`() throws {
    let shop = try Self.shop()
    #expect(throws: MappingError.self) {
      try ItemMapper().update(shop, from: JSONDocument(#"{"id":null}"#))
    }
  }

  @Test func `a required value that fails in a nested item is kept there`() throws {
    let shop = try Self.shop()
    let owner = shop.owner
    let report = try ItemMapper().update(
      shop, from: JSONDocument(#"{"note":"x","owner":{"name":null,"born":1951}}"#))
    #expect(
      report.description
        == "$['owner']['name']: Writer.name expects String, found null (property unchanged)")
    #expect(shop.note == "x")
    #expect(shop.owner === owner)
    #expect(owner?.name == "Ann")
    #expect(owner?.born == 1951)
  }

  @Test func `a required value that fails in a struct keeps all of it`() throws {
    let (shop, report) = try updated(#"{"note":"x","rent":{"currency":"SEK","amount":"much"}}"#)
    #expect(
      report.description
        == "$['rent']['amount']: Price.amount expects Decimal, found string \"much\" (property unchanged)"
    )
    #expect(shop.note == "x")
    #expect(shop.rent == Price(amount: 7, currency: "USD"))
  }

  final class Lease: BaseItem {
    final class Terms: BaseItem {
      var price = Price()
      override class var fields: FieldTable {
        FieldTable(Terms.self) { f in f(\.price, "price", .required, .emptyAsAbsent) }
      }
    }
    var terms = Terms()
    override class var fields: FieldTable {
      FieldTable(Lease.self) { f in f(\.terms, "terms") }
    }
  }

  @Test func `an empty required value of an update is reported too`() throws {
    let report = try ItemMapper().update(
      Lease(), from: JSONDocument(#"{"terms":{"price":""}}"#))
    #expect(
      report.description
        == "$['terms']['price']: Terms.price expects Price, found string \"\" (property unchanged)")
  }

  @Test func `a failed update reports that the value was kept`() throws {
    let shop = try Self.shop()
    let error = #expect(throws: MappingError.self) {
      try ItemMapper().update(shop, from: JSONDocument(#"{"id":null}"#))
    }
    #expect(
      error.map { "\($0)" } == "$['id']: Shop.id expects Int, found null (property unchanged)")
    var price = Price(amount: 1)
    let other = #expect(throws: MappingError.self) {
      try ItemMapper().update(&price, from: JSONDocument(#"{"amount":[]}"#))
    }
    #expect(
      other.map { "\($0)" }
        == "$['amount']: Price.amount expects Decimal, found an empty array (property unchanged)")
    #expect(price == Price(amount: 1))
  }

  final class Deep: BaseItem {
    var nick: String? = "none"
    final var level = 1
    final var mark: Int?
    var count = 2
    final var pick: Int?
    var code = 0

    override class var fields: FieldTable {
      FieldTable(Deep.self) { f in
        f(\.nick, "who.is.nick")
        f(\.level, "who.level", .default(3))
        f(\.mark, "list[0].mark")
        f(\.count, "list[1]")
        f(\.pick, "picks.first", "picks.second", "other.pick")
        f(\.code, "meta.code", .required)
      }
    }
  }

  private func deep(_ update: String) throws -> Deep {
    let deep = try read(
      Deep.self,
      """
      {"who":{"is":{"nick":"N"},"level":8},"list":[{"mark":4},5],"picks":{"first":6},
       "meta":{"code":7}}
      """
    ).value
    #expect(try ItemMapper().update(deep, from: JSONDocument(update)).isClean)
    return deep
  }

  @Test func `null on the path to a value clears the value`() throws {
    var item = try deep(#"{"who":null,"list":null,"picks":null}"#)
    #expect(item.nick == nil)
    #expect(item.level == 3)
    #expect(item.mark == nil)
    #expect(item.count == 2)
    #expect(item.pick == nil)
    item = try deep(#"{"who":{"is":null},"list":[null,9],"picks":null,"other":{"pick":1}}"#)
    #expect(item.nick == nil)
    #expect(item.level == 8)
    #expect(item.mark == nil)
    #expect(item.count == 9)
    #expect(item.pick == 1)
    item = try deep(#"{"who":{},"list":[],"picks":{},"meta":{}}"#)
    #expect(item.nick == "N")
    #expect(item.level == 8)
    #expect(item.mark == 4)
    #expect(item.count == 5)
    #expect(item.pick == 6)
  }

  @Test func `null on the path to a required value ends the update`() {
    let error = #expect(throws: MappingError.self) {
      try ItemMapper().update(Deep(), from: JSONDocument(#"{"meta":null}"#))
    }
    #expect(
      error.map { "\($0)" } == "$['meta']: Deep.code expects Int, found null (property unchanged)")
  }

  @Test func `only an object updates an item`() throws {
    let shop = try Self.shop()
    #expect(throws: MappingError.wrongRoot(.root, expected: .object, found: "an empty array")) {
      try ItemMapper().update(shop, from: JSONDocument("[]"))
    }
    #expect(shop == (try Self.shop()))
  }

  @Test func `an update starts at a path`() throws {
    let shop = try Self.shop()
    _ = try ItemMapper().update(
      shop, from: JSONDocument(#"{"data":[{"note":"x"}]}"#), at: "data[0]")
    #expect(shop.note == "x")
  }

  @Test func `JSON within a string replaces the item`() throws {
    let (shop, _) = try updated(#"{"settings":"{\"depth\":3}"}"#)
    #expect(shop.settings?.depth == 3)
    #expect(shop.settings?.isOpen == true)
  }

  @Test func `a struct within a patch is merged`() throws {
    final class Holder: BaseItem {
      var price = Omittable<Price>.missing
      override class var fields: FieldTable {
        FieldTable(Holder.self) { f in f(\.price, "price") }
      }
    }
    let holder = try read(Holder.self, #"{"price":{"amount":1,"currency":"USD"}}"#).value
    _ = try ItemMapper().update(holder, from: JSONDocument(#"{"price":{"amount":2}}"#))
    #expect(holder.price == .value(Price(amount: 2, currency: "USD")))
    _ = try ItemMapper().update(holder, from: JSONDocument(#"{"price":null}"#))
    #expect(holder.price == .null)
    _ = try ItemMapper().update(holder, from: JSONDocument("{}"))
    #expect(holder.price == .null)
  }

  /// Reads a writer while an item of another class is updated.
  struct Mistaken: JSONValue {
    let made: BaseItem
    static func read(_ place: ItemMapper.Run.Place, in run: inout ItemMapper.Run) -> Mistaken? {
      Writer.updated(Novel(), from: place, in: &run).map(Mistaken.init)
    }
    func write(as style: JSONAny.Style) -> JSONAny? { nil }
  }

  @Test func `an item of another class is replaced`() throws {
    let mistaken = try read(Mistaken.self, #"{"id":1,"name":"A"}"#).value
    #expect(type(of: mistaken.made) == Writer.self)
    #expect((mistaken.made as? Writer)?.name == "A")
  }
}
