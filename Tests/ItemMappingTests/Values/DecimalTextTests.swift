import Foundation
import Testing

@testable import ItemMapping

/// Decimal numbers sent as text, which is how servers send money.
struct DecimalTextTests {
  final class Order: BaseItem {
    var total = Decimal(0)
    var discount: Decimal?
    var rates: [Decimal] = []
    var count = 0
    var weight = 0.0

    override class var fields: FieldTable {
      FieldTable(Order.self) { f in
        f(\.total, "total")
        f(\.discount, "discount")
        f(\.rates, "rates")
        f(\.count, "count")
        f(\.weight, "weight")
      }
    }
  }

  struct Payment: ItemValue {
    var amount = Decimal(0)

    static var fields: FieldTable {
      FieldTable(Payment.self) { f in f(\.amount, "amount", .required) }
    }
  }

  private static func order(
    _ json: String, _ mapper: ItemMapper = ItemMapper()
  ) throws -> (value: Order, report: MappingReport) {
    try mapper.item(Order.self, in: JSONDocument(json))
  }

  @Test func `a decimal sent as text is no issue in a class`() throws {
    let mapped = try Self.order(
      #"{"total":"12.50","discount":"-0.10","rates":["0.1","0.2",0.3]}"#)
    #expect(mapped.report.isClean, "\(mapped.report)")
    #expect(mapped.value.total == Decimal(string: "12.50"))
    #expect(mapped.value.discount == Decimal(string: "-0.10"))
    #expect(mapped.value.rates.reduce(0, +) == Decimal(string: "0.6"))
  }

  @Test func `a decimal sent as text is no issue in a struct`() throws {
    let mapped = try ItemMapper().item(
      Payment.self, in: JSONDocument(#"{"amount":"9007199254740993.01"}"#))
    #expect(mapped.report.isClean, "\(mapped.report)")
    #expect(mapped.value.amount == Decimal(string: "9007199254740993.01"))
  }

  @Test func `text for other numbers is still reported`() throws {
    let mapped = try Self.order(#"{"total":"1","count":"2","weight":"2.5"}"#)
    #expect(mapped.report.groups.map(\.target) == ["Order.count", "Order.weight"])
    #expect(mapped.report.count(.used) == 2)
  }

  @Test func `digits that a decimal can't hold are reported`() throws {
    let text = "0." + String(repeating: "1", count: 40)
    let mapped = try Self.order(#"{"total":"\#(text)"}"#)
    #expect(mapped.report.groups.map(\.kind) == [.inexact])
    #expect(
      mapped.value.total == Decimal(string: "0." + String(repeating: "1", count: 38)))
  }

  @Test(arguments: ["", "12,50", " 12.50", "12.50 EUR", "+1", "0x1", ".5", "NaN", "1e400"])
  func `a text that is no decimal number changes nothing and is reported`(text: String) throws {
    let mapped = try Self.order(#"{"total":"\#(text)"}"#)
    #expect(mapped.value.total == 0)
    #expect(mapped.report.count(.kept) == 1, "\(mapped.report)")
  }

  @Test func `a strict mapper and a strict field refuse the text`() throws {
    var mapper = ItemMapper()
    mapper.isStrict = true
    let mapped = try Self.order(#"{"total":"12.50"}"#, mapper)
    #expect(mapped.value.total == 0)
    #expect(mapped.report.groups.map(\.kind) == [.wrongType])
  }

  // MARK: - Decodable types

  private struct Invoice: Decodable, Equatable {
    var total: Decimal
    var discount: Decimal?
    var rates: [Decimal]?
    var fees: [String: Decimal]?
  }

  private static func invoice(
    _ json: String, _ decoder: ItemDecoder = ItemDecoder()
  ) throws -> Invoice {
    try decoder.decode(Invoice.self, from: json.utf8)
  }

  @Test func `a decimal sent as text is decoded`() throws {
    let invoice = try Self.invoice(
      #"{"total":"12.50","discount":"-9007199254740993.01","rates":["0.1",0.2],"fees":{"a":"1"}}"#)
    #expect(invoice.total == Decimal(string: "12.50"))
    #expect(invoice.discount == Decimal(string: "-9007199254740993.01"))
    #expect(invoice.rates?.reduce(0, +) == Decimal(string: "0.3"))
    #expect(invoice.fees == ["a": 1])
  }

  @Test func `an absent or null decimal is still nil`() throws {
    let invoice = try Self.invoice(#"{"total":"1","discount":null}"#)
    #expect(invoice == Invoice(total: 1, discount: nil, rates: nil, fees: nil))
  }

  @Test(arguments: ["", "12,50", " 12.50", "12.50 EUR", "+1", "0x1", ".5", "NaN", "1e400"])
  func `a text that is no decimal number is not decoded`(text: String) {
    let outcome = DecodingOutcome { try Self.invoice(#"{"total":"\#(text)"}"#) }
    guard case .failure(let kind, let path) = outcome else {
      Issue.record("decoded")
      return
    }
    #expect(kind == "typeMismatch \(Decimal.self)")
    #expect(path == ["total|"])
  }

  @Test func `a decoder without the strategy refuses the text as Foundation does`() {
    var decoder = ItemDecoder()
    decoder.readsDecimalsFromStrings = false
    let ours = DecodingOutcome { try Self.invoice(#"{"total":"12.50"}"#, decoder) }
    let theirs = DecodingOutcome {
      try JSONDecoder().decode(Invoice.self, from: Data(#"{"total":"12.50"}"#.utf8))
    }
    #expect(ours.agrees(withFoundation: theirs), "ours \(ours), Foundation's \(theirs)")
  }
}
