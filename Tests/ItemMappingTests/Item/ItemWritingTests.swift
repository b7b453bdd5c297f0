import Foundation
import Testing

@testable import ItemMapping

@Suite struct ItemWritingTests {
  final class Parcel: BaseItem {
    var id = 0
    var weight: Double?
    var sender: Writer?
    var stops: [Writer] = []
    var price = Price()
    var code = ""
    var place: [Int] = []
    var raw: JSONAny = .null
    var last = ""
    var view = Extra()
    var inner: Writer?

    override class var fields: FieldTable {
      FieldTable(Parcel.self) { f in
        f(\.id, "id")
        f(\.weight, "facts.weight", "weight")
        f(\.sender, "who['sent.by']")
        f(\.stops, "facts.stops")
        f(\.price, "price")
        f(
          \.code, "code",
          .convert({ "<\($0.string ?? "")>" }, back: { .string(String($0.dropFirst().dropLast())) })
        )
        f(\.place, "list[1]")
        f(\.raw, "raw")
        f(\.last, "ends[-1]")
        f(\.view, "$")
        f(\.inner, "inner", .jsonString)
      }
    }
  }

  struct Extra: ItemValue, Hashable {
    var note: String?
    static var fields: FieldTable {
      FieldTable(Extra.self) { f in f(\.note, "note") }
    }
  }

  static let text = """
    {"id":1,"facts":{"weight":2.5,"stops":[{"name":"B"}]},"who":{"sent.by":{"name":"A","born":3}},\
    "price":{"amount":4.5,"currency":"EUR"},"code":"x","list":[null,[1,2]],"raw":{"a":[null]},\
    "ends":["z"],"note":"n","inner":"{\\"name\\":\\"C\\",\\"born\\":1}"}
    """

  @Test func `an item writes what it read, in the order of its table`() throws {
    let mapped = try read(Parcel.self, Self.text)
    #expect(mapped.report.description == "")
    #expect(mapped.value.jsonObject.text() == Self.text)
  }

  @Test func `a nil property is omitted`() {
    let empty = Parcel()
    #expect(
      empty.jsonObject.text() == """
        {"id":0,"facts":{"stops":[]},"price":{"amount":0,"currency":"EUR"},"code":"",\
        "list":[null,[]],"raw":null,"ends":[""]}
        """)
  }

  @Test func `an equal item is read from the JSON that an item writes`() throws {
    let parcel = try read(Parcel.self, Self.text).value
    let again = try read(Parcel.self, parcel.jsonObject.text()).value
    #expect(parcel == again)
    again.stops[0].name = "other"
    #expect(parcel != again)
  }

  @Test func `every mapped property is compared for equality`() throws {
    let changes: [(Parcel) -> Void] = [
      { $0.id = 9 }, { $0.weight = nil }, { $0.sender?.born = nil }, { $0.stops.append(Writer()) },
      { $0.price.amount = 0 }, { $0.code = "<y>" }, { $0.place = [] }, { $0.raw = 1 },
      { $0.last = "" }, { $0.view.note = nil }, { $0.inner = nil },
    ]
    let original = try read(Parcel.self, Self.text).value
    for change in changes {
      let copy = original.copied()
      #expect(copy == original)
      change(copy)
      #expect(copy != original)
    }
  }

  @Test func `a copy shares no object with its original`() throws {
    let parcel = try read(Parcel.self, Self.text).value
    let copy = parcel.copied()
    #expect(copy !== parcel)
    #expect(copy.sender !== parcel.sender)
    #expect(copy.stops[0] !== parcel.stops[0])
    #expect(copy.inner !== parcel.inner)
    copy.sender?.name = "other"
    #expect(parcel.sender?.name == "A")
  }

  @Test func `a copy is of the same class`() throws {
    let work: Work = try read(Novel.self, BaseItemTests.emma).value
    let copy = work.copied()
    #expect(type(of: copy) == Novel.self)
    #expect(copy == work)
  }

  @Test func `a copied struct shares no object with its original`() throws {
    struct Pair: ItemValue {
      var left: Writer?
      var right: [Writer] = []
      static var fields: FieldTable {
        FieldTable(Pair.self) { f in
          f(\.left, "left")
          f(\.right, "right")
        }
      }
    }
    let pair = try read(Pair.self, #"{"left":{"name":"A"},"right":[{"name":"B"}]}"#).value
    let copy = pair.copied()
    #expect(copy.left !== pair.left)
    #expect(copy.left == pair.left)
    #expect(copy.right[0] !== pair.right[0])
    #expect(copy.right == pair.right)
  }

  @Test func `an item describes itself on one line`() throws {
    let writer = try read(Writer.self, #"{"name":"Ann\n\"B\""}"#).value
    #expect(writer.debugDescription == #"Writer(name: "Ann\n\"B\"", born: nil)"#)
    let long = Writer()
    long.name = String(repeating: "x", count: 100)
    #expect(
      long.debugDescription == "Writer(name: \"\(String(repeating: "x", count: 63))…, born: nil)")
    #expect("\(BaseItem())" == "BaseItem()")
  }
}
