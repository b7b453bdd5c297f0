import Foundation

@testable import ItemMapping

/// Items that several suites read.
class Work: BaseItem {
  final var id = 0
  final var title = ""

  override class var fields: FieldTable {
    FieldTable(Work.self) { f in
      f(\.id, "id", .required)
      f(\.title, "title")
    }
  }
}

final class Writer: BaseItem {
  var name = ""
  var born: Int?

  override class var fields: FieldTable {
    FieldTable(Writer.self) { f in
      f(\.name, "name", .required)
      f(\.born, "born")
    }
  }
}

enum Binding: String, JSONValue { case soft, hard }

struct Price: ItemValue, Hashable {
  var amount = Decimal(0)
  var currency = "EUR"

  static var fields: FieldTable {
    FieldTable(Price.self) { f in
      f(\.amount, "amount", .required)
      f(\.currency, "currency")
    }
  }
}

final class Novel: Work {
  var pages: Int?
  var rating = 0.0
  var inPrint = false
  var subtitle: String?
  var writer: Writer?
  var others: [Writer] = []
  var tags: [String] = []
  var price: Price?
  var binding: Binding?
  var kind = OpenEnum<Binding>.known(.soft)

  override class var fields: FieldTable {
    FieldTable(Novel.self) { f in
      f(\.pages, "facts.pages", "pages")
      f(\.rating, "facts.rating")
      f(\.inPrint, "in_print")
      f(\.subtitle, "subtitle")
      f(\.writer, "writer")
      f(\.others, "others")
      f(\.tags, "tags")
      f(\.price, "price")
      f(\.binding, "binding")
      f(\.kind, "kind")
    }
  }
}

/// Reads one item from a text.
func read<Item: JSONValue>(
  _ type: Item.Type, _ text: String, by mapper: ItemMapper = ItemMapper()
) throws -> (value: Item, report: MappingReport) {
  try mapper.item(type, in: JSONDocument(text))
}

/// Returns the item and the report as text, for comparison.
func outcome<Item: JSONValue>(
  _ type: Item.Type, _ text: String, by mapper: ItemMapper = ItemMapper()
) -> Outcome {
  do {
    let mapped = try mapper.item(type, in: JSONDocument(text))
    return Outcome("\(mapped.value)", mapped.report.description)
  } catch {
    return Outcome("unusable", "\(error)")
  }
}

/// An item's description and the lines of the report.
struct Outcome: Equatable, CustomStringConvertible {
  let item: String
  let report: [String]

  init(_ item: String, _ report: String = "") {
    self.item = item
    self.report = report.split(separator: "\n").map(String.init)
  }

  var description: String { ([item] + report).joined(separator: "\n") }
}
