@testable import ItemMapping

/// Maps any bytes to an item with every kind of property. Nothing may crash, direct stores and key
/// paths give the same result, and an item reads back from the JSON it writes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzItems(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  guard let document = try? JSONDocument(input) else { return 0 }
  for isStrict in [false, true] {
    var mapper = ItemMapper()
    mapper.isStrict = isStrict
    mapper.emptyAsAbsent = !isStrict
    compare(document, mapper)
    mapper.elements = .fail
    compare(document, mapper)
    mapper.failsFast = true
    compare(document, mapper)
  }
  return 0
}

private func compare(_ document: JSONDocument, _ mapper: ItemMapper) {
  var mapper = mapper
  mapper.storesDirectly = true
  let direct = (read(document, mapper), update(document, mapper))
  mapper.storesDirectly = false
  let indirect = (read(document, mapper), update(document, mapper))
  precondition(direct.0 == indirect.0 && direct.1 == indirect.1, "\(direct)\n\(indirect)")
  precondition(direct.0.1.allSatisfy { $0.utf8.count < 20_000 })
}

private func read(_ document: JSONDocument, _ mapper: ItemMapper) -> ([JSONAny.Object], [String]) {
  guard document.root.kind == .array else {
    do throws(MappingError) {
      let mapped = try mapper.item(Thing.self, in: document)
      check(mapped.value)
      return ([mapped.value.jsonObject], mapped.report.groups.map(\.description))
    } catch {
      return ([], ["\(error)"])
    }
  }
  do throws(MappingError) {
    let mapped = try mapper.items(Thing.self, in: document)
    for thing in mapped.value { check(thing) }
    return (mapped.value.map(\.jsonObject), mapped.report.groups.map(\.description))
  } catch {
    precondition(mapper.failsFast || mapper.elements == .fail, "mapping a list failed: \(error)")
    return ([], ["\(error)"])
  }
}

/// Checks that an item reads back from the JSON it writes, and that copies are equal.
private func check(_ thing: Thing) {
  let copy = thing.copied()
  precondition(copy == thing && copy !== thing, thing.debugDescription)
  guard let document = try? JSONDocument(.object(thing.jsonObject)),
    let again = try? ItemMapper().item(Thing.self, in: document)
  else { preconditionFailure("\(thing.jsonObject)") }
  precondition(
    again.value.jsonObject == thing.jsonObject, "\(again.value.jsonObject) and \(thing.jsonObject)")
}

/// Returns the updated item and its report. An item is in part updated if that fails.
private func update(_ document: JSONDocument, _ mapper: ItemMapper) -> [String] {
  guard document.root.kind == .object else { return [] }
  let thing = Thing()
  (thing.b, thing.f, thing.g, thing.h, thing.r) = (1, "f", ["g"], Thing(), [Thing()])
  var report: [String]
  do throws(MappingError) {
    report = try mapper.update(thing, from: document).groups.map(\.description)
  } catch {
    report = ["\(error)"]
  }
  check(thing)
  return report + ["\(thing.jsonObject)"]
}

enum Mood: String, JSONValue { case good, bad }

struct Point: ItemValue {
  var x = 0
  var y = 0.0

  static var fields: FieldTable {
    FieldTable(Point.self) { f in
      f(\.x, "x", .required)
      f(\.y, "y")
    }
  }
}

class Thing: BaseItem {
  final var a = 0
  final var b: Int?
  final var c = 0.0
  final var d = false
  final var e = ""
  final var f: String?
  final var g: [String] = []
  final var h: Thing?
  final var i: [Thing] = []
  final var j: Point?
  final var k: [Point] = []
  final var l: Mood?
  final var m = OpenEnum<Mood>.known(.good)
  final var n: [String: Int] = [:]
  final var o: [[Int?]] = []
  final var p = Omittable<Int>.missing
  final var q: JSONAny = .null
  final var r: [Thing]?
  final var s: UInt8 = 0
  var t = 0 { didSet {} }
  final var u = Set<String>()
  final var v: String?

  override class var variants: FieldTable.Variants? {
    FieldTable.Variants(key: "v", ["s": Special.self], else: Thing.self)
  }

  override class var fields: FieldTable {
    FieldTable(Thing.self) { f in
      f(\.a, "a", .required)
      f(\.b, "b", "bb")
      f(\.c, "c", .default(1.5))
      f(\.d, "d")
      f(\.e, "e", .interned)
      f(\.f, "f.f")
      f(\.g, "g")
      f(\.h, "h")
      f(\.i, "i")
      f(\.j, "j")
      f(\.k, "k", .elements(.keepDefault))
      f(\.l, "l")
      f(\.m, "m")
      f(\.n, "n")
      f(\.o, "o")
      f(\.p, "p")
      f(\.q, "q", .sensitive)
      f(\.r, "r", .single, .elements(.fail))
      f(\.s, "s", .boolsAsNumbers)
      f(\.t, "t")
      f(\.u, "u")
      f(\.v, "v")
    }
  }
}

final class Special: Thing {
  var w = ""

  override class var fields: FieldTable {
    FieldTable(Special.self) { f in f(\.w, "w.w[0]") }
  }
}
