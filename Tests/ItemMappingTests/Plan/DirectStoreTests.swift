import Foundation
import Testing

@testable import ItemMapping

@propertyWrapper struct Clamped {
  private var value = 0
  var wrappedValue: Int {
    get { value }
    set { value = min(newValue, 10) }
  }
  init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

@Suite struct DirectStoreTests {
  enum Cover: String, JSONValue { case soft, hard }
  enum Format: String, JSONValue, CaseIterable { case paper, audio }

  final class Kinds: BaseItem {
    var int = 0
    var intOption: Int?
    var small: Int8 = 0
    var unsigned: UInt64 = 0
    var double = 0.0
    var doubleOption: Double?
    var float: Float = 0
    var bool = false
    var boolOption: Bool?
    var string = ""
    var stringOption: String?
    var strings: [String] = []
    var stringsOption: [String]?
    var numbers: [Int] = []
    var item: Writer?
    var items: [Writer] = []
    var decimal = Decimal(0)
    var url: URL?
    var data = Data()
    var value = Price()
    var valueOption: Price?
    var format = Format.paper
    var formatOption: Format?
    var cover = Cover.soft
    var coverOption: Cover?
    var open = OpenEnum<Cover>.known(.soft)
    var patch = Omittable<String>.missing
    var any: JSONAny = .null
    var map: [String: Int] = [:]
    var set: Set<Int> = []
    var note: String? { didSet { log.append("\(oldValue ?? "nil")>\(note ?? "nil")") } }
    var count = 0 { willSet { log.append("\(count)<\(newValue)") } }
    lazy var lazy = 5
    weak var weak: Writer?
    @Clamped var clamped = 1
    var log: [String] = []
    private var backing = 0
    var computed: Int {
      get { backing }
      set { backing = newValue * 2 }
    }

    override class var fields: FieldTable {
      FieldTable(Kinds.self) { f in
        f(\.int)
        f(\.intOption)
        f(\.small)
        f(\.unsigned)
        f(\.double)
        f(\.doubleOption)
        f(\.float)
        f(\.bool)
        f(\.boolOption)
        f(\.string)
        f(\.stringOption)
        f(\.strings)
        f(\.stringsOption)
        f(\.numbers)
        f(\.item)
        f(\.items)
        f(\.decimal)
        f(\.url)
        f(\.data)
        f(\.value)
        f(\.valueOption)
        f(\.format)
        f(\.formatOption)
        f(\.cover)
        f(\.coverOption)
        f(\.open)
        f(\.patch)
        f(\.any)
        f(\.map)
        f(\.set)
        f(\.note)
        f(\.count)
        f(\.lazy)
        f(\.weak, "weak")
        f(\.clamped)
        f(\.computed, "computed")
        f.ignore("log")
      }
    }
  }

  /// The same kinds of properties in a class that can be subclassed.
  class OpenKinds: BaseItem {
    var int = 0
    final var finalInt = 0
    var stringOption: String?
    var item: Writer?
    var strings: [String] = []
    override class var fields: FieldTable {
      FieldTable(OpenKinds.self) { f in
        f(\.int)
        f(\.finalInt)
        f(\.stringOption)
        f(\.item)
        f(\.strings)
      }
    }
  }

  /// Overrides an inherited property.
  final class Overriding: OpenKinds {
    var changes: [Int] = []
    override var int: Int { didSet { changes.append(int) } }
    override class var fields: FieldTable {
      FieldTable(Overriding.self) { f in f.ignore("changes") }
    }
  }

  static let text = """
    {"int":-9223372036854775808,"intOption":9223372036854775807,"small":-128,
     "unsigned":18446744073709551615,"double":1.5,"doubleOption":-2.5,"float":0.25,"bool":true,
     "boolOption":false,"string":"short","stringOption":"a string that is longer than fifteen",
     "strings":["a","b"],"stringsOption":[],"numbers":[1,2],"item":{"name":"A"},
     "items":[{"name":"B"}],"decimal":12.34,"url":"http://a.example/","data":"AQI=",
     "value":{"amount":1},"valueOption":{"amount":2},"format":"audio","formatOption":"paper","cover":"hard",
     "coverOption":"hard","open":"odd","patch":"p","any":[1],"map":{"a":1},"set":[1,1,2],"note":"n","count":3,"lazy":7,
     "weak":{"name":"W"},"clamped":99,"computed":4}
    """

  @Test func `every kind of property is set`() throws {
    let mapped = try read(Kinds.self, Self.text)
    let kinds = mapped.value
    #expect(mapped.report.description == "")
    #expect(kinds.int == .min)
    #expect(kinds.intOption == .max)
    #expect(kinds.small == -128)
    #expect(kinds.unsigned == .max)
    #expect(kinds.double == 1.5)
    #expect(kinds.doubleOption == -2.5)
    #expect(kinds.float == 0.25)
    #expect(kinds.bool)
    #expect(kinds.boolOption == false)
    #expect(kinds.string == "short")
    #expect(kinds.stringOption == "a string that is longer than fifteen")
    #expect(kinds.strings == ["a", "b"])
    #expect(kinds.stringsOption == [])
    #expect(kinds.numbers == [1, 2])
    #expect(kinds.item?.name == "A")
    #expect(kinds.items.map(\.name) == ["B"])
    #expect(kinds.decimal == Decimal(string: "12.34"))
    #expect(kinds.url?.absoluteString == "http://a.example/")
    #expect(kinds.data == Data([1, 2]))
    #expect(kinds.value == Price(amount: 1))
    #expect(kinds.valueOption == Price(amount: 2))
    #expect(kinds.format == .audio)
    #expect(kinds.formatOption == .paper)
    #expect(kinds.cover == .hard)
    #expect(kinds.coverOption == .hard)
    #expect(kinds.open == .unknown("odd"))
    #expect(kinds.patch == .value("p"))
    #expect(kinds.any == [1])
    #expect(kinds.map == ["a": 1])
    #expect(kinds.set == [1, 2])
    #expect(kinds.lazy == 7)
    #expect(kinds.clamped == 10)
    #expect(kinds.computed == 8)
    // Nothing else retains it.
    #expect(kinds.weak == nil)
  }

  @Test func `observers are called`() throws {
    let kinds = try read(Kinds.self, Self.text).value
    #expect(kinds.log == ["nil>n", "0<3"])
    _ = try ItemMapper().update(kinds, from: JSONDocument(#"{"note":null}"#))
    #expect(kinds.log == ["nil>n", "0<3", "n>nil"])
  }

  @Test func `a property that is not mentioned keeps its default`() throws {
    let kinds = try read(Kinds.self, "{}").value
    #expect(kinds.lazy == 5)
    #expect(kinds.clamped == 1)
    #expect(kinds.log.isEmpty)
    #expect(kinds == Kinds())
  }

  @Test func `null clears optionals and keeps other properties`() throws {
    let nulls =
      "{" + Kinds().jsonObject.map { "\"\($0.name)\":null" }.joined(separator: ",")
      + #","intOption":null,"item":null,"patch":null,"note":null}"#
    let kinds = Kinds()
    let filled = try read(Kinds.self, Self.text).value
    for item in [kinds, filled] {
      let report = try ItemMapper().update(item, from: JSONDocument(nulls))
      #expect(report.description == "")
    }
    #expect(filled.int == 0)
    #expect(filled.intOption == nil)
    #expect(filled.string == "")
    #expect(filled.item == nil)
    #expect(filled.value == Price())
    #expect(filled.lazy == 5)
    #expect(filled.clamped == 1)
    #expect(filled.patch == .null)
  }

  @Test func `properties that can be overridden are set, overridden or not`() throws {
    let text = #"{"int":1,"finalInt":2,"stringOption":"s","item":{"name":"A"},"strings":["t"]}"#
    let open = try read(OpenKinds.self, text).value
    #expect(open.int == 1)
    #expect(open.finalInt == 2)
    #expect(open.stringOption == "s")
    #expect(open.item?.name == "A")
    #expect(open.strings == ["t"])
    let overriding = try read(Overriding.self, text).value
    #expect(overriding.int == 1)
    #expect(overriding.finalInt == 2)
    #expect(overriding.changes == [1])
  }

  @Test func `only stored final properties with a trial value are stored directly`() {
    let slow: Set = ["cover", "coverOption", "note", "count", "lazy", "weak", "clamped", "computed"]
    for field in ItemPlan.of(Kinds.self).fields {
      let isSlow = slow.contains(field.name) || field.paths == ["computed"]
      #expect(field.isDirect == (ItemMapper().storesDirectly && !isSlow), "\(field.name)")
    }
    #expect(
      ItemPlan.of(OpenKinds.self).fields.filter(\.isDirect).map(\.name)
        == (ItemMapper().storesDirectly ? ["finalInt"] : []))
    #expect(
      ItemPlan.of(ItemValueTests.Picture.self).fields.allSatisfy {
        $0.isDirect == ItemMapper().storesDirectly
      })
    #expect(
      ItemPlan.of(ItemValueTests.Frame.self).fields.allSatisfy {
        $0.isDirect == ItemMapper().storesDirectly
      })
  }

  @Test func `these tables have no problems`() {
    #expect(ItemPlan.of(Kinds.self).problems == [])
    #expect(ItemPlan.of(OpenKinds.self).problems == [])
    #expect(ItemPlan.of(Overriding.self).problems == [])
  }

  struct ValueKinds: ItemValue {
    var plain = 0
    private(set) var guarded = 0
    var observed = 0 { didSet { log.append(observed) } }
    @Clamped var clamped = 1
    @Clamped var other = 1
    var log: [Int] = []
    var doubled: Int {
      get { plain * 2 }
      set { plain = newValue / 2 }
    }
    var description: String?

    static var fields: FieldTable {
      FieldTable(ValueKinds.self) { f in
        f(\.plain, "plain")
        f(\.guarded, "guarded")
        f(\.observed, "observed")
        f(\.clamped, "clamped")
        f(\.other, "other")
        f(\.doubled, "doubled")
        f(\.description, "description")
        f.ignore("log")
      }
    }
  }

  @Test func `every kind of property of a struct is set`() throws {
    let text =
      #"{"plain":1,"guarded":2,"observed":3,"clamped":50,"doubled":12,"description":"d"}"#
    let kinds = try read(ValueKinds.self, text).value
    #expect(kinds.plain == 6)
    #expect(kinds.guarded == 2)
    #expect(kinds.observed == 3)
    #expect(kinds.log == [3])
    #expect(kinds.clamped == 10)
    let description: String? = kinds.description
    #expect(description == "d")
    #expect(
      Set(ItemPlan.of(ValueKinds.self).fields.filter(\.isDirect).map(\.name))
        == (ItemMapper().storesDirectly ? ["plain", "guarded", "description"] : []))
  }

  @Test func `a default is created for each item`() throws {
    final class Owner: BaseItem {
      var writer: Writer?
      override class var fields: FieldTable {
        FieldTable(Owner.self) { f in f(\.writer, "writer", .default(Writer())) }
      }
    }
    let owners = try ItemMapper().items(Owner.self, in: JSONDocument("[{},{}]")).value
    #expect(owners[0].writer != nil)
    #expect(owners[0].writer !== owners[1].writer)
  }

  @Test func `the previous value of a property is released`() throws {
    weak var old: Writer?
    let kinds = Kinds()
    do {
      let writer = Writer()
      old = writer
      kinds.item = writer
    }
    #expect(old != nil)
    // Read directly into the object, like a new one with such a default.
    var run = ItemMapper.Run(try JSONDocument(#"{"item":{"name":"A"}}"#), ItemMapper())
    let plan = Unmanaged.passUnretained(ItemPlan.of(Kinds.self))
    let isFilled = run.update(kinds, by: plan, at: run.place(JSONTape.root))
    #expect(isFilled)
    #expect(old == nil)
    #expect(kinds.item?.name == "A")
  }

  final class Switched: BaseItem {
    var id = 0
    override class var fields: FieldTable { FieldTable(Switched.self) { f in f(\.id) } }
  }

  @Test func `a type has one plan with direct stores and one without`() {
    for storesDirectly in [true, false, true] {
      let plan = ItemPlan.of(Switched.self, storesDirectly: storesDirectly)
      #expect(plan.fields.map(\.isDirect) == [storesDirectly])
    }
  }

  @Test(arguments: [true, false])
  func `a mapper decides how values are stored`(_ storesDirectly: Bool) throws {
    var mapper = ItemMapper()
    mapper.storesDirectly = storesDirectly
    var run = ItemMapper.Run(try JSONDocument("{}"), mapper)
    let plan = run.plan(of: Switched.self) {
      ItemPlan.of(Switched.self, storesDirectly: $0)
    }.takeUnretainedValue()
    #expect(plan.fields.map(\.isDirect) == [storesDirectly])
  }
}
