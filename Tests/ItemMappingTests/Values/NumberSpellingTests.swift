import Foundation
import QuireTesting
import Testing

@testable import ItemMapping

/// Reads random numbers in all their spellings, which are read in different ways.
struct NumberSpellingTests {
  /// Returns a number without a fraction. Half of them are exactly between two neighbors of type
  /// `Float`.
  private static func whole(_ random: inout SeededGenerator) -> UInt64 {
    if Bool.random(using: &random) {
      let number = UInt64.random(in: 0...1_000_000_000_000_000_000, using: &random)
      return number >> Int.random(in: 0..<60, using: &random)
    }
    let number = UInt64.random(in: 1 << 23..<1 << 24, using: &random) * 2 + 1
    return number << Int.random(in: 0..<35, using: &random)
  }

  /// Returns a number close to the middle between two neighbors of type `Float` below 2^24, with all
  /// its digits.
  private static func between(_ random: inout SeededGenerator) -> String {
    let shift = Int.random(in: 1...20, using: &random)
    var digits = UInt128.random(in: 1 << 23..<1 << 24, using: &random) * 2 + 1
    for _ in 0..<shift { digits *= 5 }
    let tail = ["", "0", "1", "00000001", "000000000000001"].randomElement(using: &random) ?? ""
    return "\(digits)\(tail)e-\(shift + tail.count)"
  }

  /// Returns up to five zeros and up to nine more digits, after a decimal point.
  private static func fraction(_ random: inout SeededGenerator) -> String {
    let zeros = String(repeating: "0", count: .random(in: 0...5, using: &random))
    let digits = (0..<Int.random(in: 0...9, using: &random)).map { _ in
      String(Int.random(in: 0...9, using: &random))
    }
    let places = zeros + digits.joined()
    return places.isEmpty ? "" : "." + places
  }

  private static func read<T>(
    _ json: String, _ read: (Int, JSONDocument, CoercionRules) -> Coerced<T>
  ) throws -> (value: T?, isInexact: Bool) {
    let document = try JSONDocument("[\(json)]")
    let coerced = read(JSONTape.root + 1, document, CoercionRules())
    if case .converted(_, .inexact) = coerced { return (coerced.value, true) }
    return (coerced.value, false)
  }

  @Test func `a decimal is the same as a number, as text and for a decoder`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(1_000) {
      let text = "\(Self.whole(&random))\(Self.fraction(&random))"
      let decoded = try ItemDecoder().decode([Decimal].self, from: "[\(text)]".utf8).first
      for json in [text, "\"\(text)\""] {
        let decimal = try Self.read(json) { Coercion.decimal(at: $0, of: $1, $2) }
        #expect(decimal.value == decoded && !decimal.isInexact, "\(json)")
      }
    }
  }

  @Test func `a short float is the nearest one however it is written`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(1_000) {
      let text = "\(Self.whole(&random))\(Self.fraction(&random))"
      let small = "\(text)e\(Int.random(in: -70 ... -40, using: &random))"
      for text in [text, small, Self.between(&random)] {
        for json in [text, "\"\(text)\""] {
          let float = try Self.read(json) { Coercion.float(at: $0, of: $1, $2) }
          #expect(float.value == Float(text), "\(json)")
        }
      }
    }
  }

  @Test func `a whole number is inexact in all its spellings or in none`() throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(500) {
      let whole = max(1, Self.whole(&random))
      let isInexact = Float(exactly: whole) == nil
      for text in ["\(whole)", "\(whole).0", "\(whole)e0", "\(whole)00e-2"] {
        for json in [text, "\"\(text)\""] {
          let float = try Self.read(json) { Coercion.float(at: $0, of: $1, $2) }
          #expect(float.isInexact == isInexact, "\(json)")
        }
      }
    }
  }
}
