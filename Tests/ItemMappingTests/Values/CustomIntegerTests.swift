import Testing

@testable import ItemMapping

/// An integer with the reverse byte order in memory.
private struct Swapped: FixedWidthInteger, SignedInteger, JSONValue {
  private let bytes: Int64
  var plain: Int64 { bytes.byteSwapped }
  init(_ plain: Int64) { bytes = plain.byteSwapped }

  typealias Words = Int64.Words
  init(integerLiteral value: Int64) { self.init(value) }
  init(_truncatingBits bits: UInt) { self.init(Int64(truncatingIfNeeded: bits)) }
  init?<T: BinaryInteger>(exactly source: T) {
    guard let plain = Int64(exactly: source) else { return nil }
    self.init(plain)
  }
  init?<T: BinaryFloatingPoint>(exactly source: T) {
    guard let plain = Int64(exactly: source) else { return nil }
    self.init(plain)
  }
  init<T: BinaryInteger>(truncatingIfNeeded source: T) {
    self.init(Int64(truncatingIfNeeded: source))
  }
  static var bitWidth: Int { 64 }
  var words: Words { plain.words }
  var magnitude: UInt64 { plain.magnitude }
  var trailingZeroBitCount: Int { plain.trailingZeroBitCount }
  var leadingZeroBitCount: Int { plain.leadingZeroBitCount }
  var nonzeroBitCount: Int { plain.nonzeroBitCount }
  var byteSwapped: Swapped { Swapped(plain.byteSwapped) }
  private static func own(_ result: (Int64, Bool)) -> (partialValue: Swapped, overflow: Bool) {
    (Swapped(result.0), result.1)
  }
  func addingReportingOverflow(_ other: Swapped) -> (partialValue: Swapped, overflow: Bool) {
    Self.own(plain.addingReportingOverflow(other.plain))
  }
  func subtractingReportingOverflow(_ other: Swapped) -> (partialValue: Swapped, overflow: Bool) {
    Self.own(plain.subtractingReportingOverflow(other.plain))
  }
  func multipliedReportingOverflow(by other: Swapped) -> (partialValue: Swapped, overflow: Bool) {
    Self.own(plain.multipliedReportingOverflow(by: other.plain))
  }
  func dividedReportingOverflow(by other: Swapped) -> (partialValue: Swapped, overflow: Bool) {
    Self.own(plain.dividedReportingOverflow(by: other.plain))
  }
  func remainderReportingOverflow(
    dividingBy other: Swapped
  ) -> (partialValue: Swapped, overflow: Bool) {
    Self.own(plain.remainderReportingOverflow(dividingBy: other.plain))
  }
  func multipliedFullWidth(by other: Swapped) -> (high: Swapped, low: UInt64) {
    let (high, low) = plain.multipliedFullWidth(by: other.plain)
    return (Swapped(high), low)
  }
  func dividingFullWidth(
    _ dividend: (high: Swapped, low: UInt64)
  ) -> (quotient: Swapped, remainder: Swapped) {
    let (quotient, rest) = plain.dividingFullWidth((dividend.high.plain, dividend.low))
    return (Swapped(quotient), Swapped(rest))
  }
  static func + (a: Swapped, b: Swapped) -> Swapped { Swapped(a.plain + b.plain) }
  static func - (a: Swapped, b: Swapped) -> Swapped { Swapped(a.plain - b.plain) }
  static func * (a: Swapped, b: Swapped) -> Swapped { Swapped(a.plain * b.plain) }
  static func / (a: Swapped, b: Swapped) -> Swapped { Swapped(a.plain / b.plain) }
  static func % (a: Swapped, b: Swapped) -> Swapped { Swapped(a.plain % b.plain) }
  static func += (a: inout Swapped, b: Swapped) { a = a + b }
  static func -= (a: inout Swapped, b: Swapped) { a = a - b }
  static func *= (a: inout Swapped, b: Swapped) { a = a * b }
  static func /= (a: inout Swapped, b: Swapped) { a = a / b }
  static func %= (a: inout Swapped, b: Swapped) { a = a % b }
  static func &= (a: inout Swapped, b: Swapped) { a = Swapped(a.plain & b.plain) }
  static func |= (a: inout Swapped, b: Swapped) { a = Swapped(a.plain | b.plain) }
  static func ^= (a: inout Swapped, b: Swapped) { a = Swapped(a.plain ^ b.plain) }
}

@Suite struct CustomIntegerTests {
  private final class Header: BaseItem {
    var length: Swapped = 0
    override class var fields: FieldTable {
      FieldTable(Header.self) { f in f(\.length, "length") }
    }
  }

  @Test func `a custom integer has the value and not the bytes`() throws {
    #expect(try read(Header.self, #"{"length":1}"#).value.length.plain == 1)
  }
}
