package import ItemMapping
internal import Support

/// The value of a row by which changes are ordered: a date, a number, or a text that can be compared.
package struct Stamp: Hashable, Sendable {
  package enum Kind: Int, Hashable, Sendable {
    case date, number, text
  }

  /// The value as the row has it, without quotes.
  package let text: String
  package let kind: Kind
  /// The seconds since 1970 of a date, or the number.
  let value: Double

  /// Reads the stamp at a path of a row; `nil` if there is none that can be compared.
  package init?(at path: JSONPath, in row: JSONView) {
    guard let view = row[path] else { return nil }
    if let text = view.string { self.init(text) } else { self.init(view.numberText ?? "", acceptsTexts: false) }
  }

  package init?(_ text: String, acceptsTexts: Bool = true) {
    self.text = text
    if let date = StampDate(text) {
      (kind, value) = (.date, date.seconds)
    } else if let number = Double(text), number.isFinite, !text.utf8.contains(UInt8(ascii: "x")) {
      (kind, value) = (.number, number)
    } else if acceptsTexts, !text.isEmpty {
      (kind, value) = (.text, 0)
    } else {
      return nil
    }
  }

  /// Whether it is lower than another stamp. Stamps of different kinds are not compared.
  package func isBelow(_ other: Stamp) -> Bool {
    guard kind == other.kind else { return false }
    return kind == .text ? text.utf8.lexicographicallyPrecedes(other.text.utf8) : value < other.value
  }

  /// How far it is below another stamp: in seconds for dates, in the unit of numbers, and infinitely for texts; 0 if it
  /// is not.
  package func distance(below other: Stamp) -> Double {
    guard isBelow(other) else { return 0 }
    return kind == .text ? .infinity : other.value - value
  }

  /// Whether it is later than a moment in seconds since 1970. Of numbers, those that look like seconds or milliseconds
  /// since 1970 are compared.
  package func isLater(than now: Double) -> Bool {
    switch kind {
    case .date: value > now
    case .number: 1e9..<1e10 ~= value ? value > now : 1e12..<1e13 ~= value && value / 1_000 > now
    case .text: false
    }
  }
}

// MARK: - Lower stamps in the same form

extension Stamp {
  /// Returns a stamp that is lower by a distance and by the least step of its form, as a text in the same form; `nil`
  /// for texts, and for numbers with an exponent. The step is there because a server may leave out rows that are equal.
  package func text(loweredBy distance: Double) -> String? {
    guard distance.isFinite else { return nil }
    switch kind {
    case .date: return StampDate(text)?.text(loweredBy: distance)
    case .number: return number(loweredBy: distance)
    case .text: return nil
    }
  }

  private func number(loweredBy distance: Double) -> String? {
    if let number = Int64(text) {
      guard let steps = Int64(exactly: distance.rounded(.up)) else { return nil }
      let (lower, isTooLow) = number.subtractingReportingOverflow(steps)
      return isTooLow || lower == .min ? nil : String(lower - 1)
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].allSatisfy(\.isNumber) else { return nil }
    return Decimals(below: value - distance, places: parts[1].count)?.text
  }
}

/// A number with decimal places, as many as a double keeps.
struct Decimals {
  /// The number in units of its last place.
  private let units: Int
  private let places: Int

  /// Takes the next lower number with that many decimal places; `nil` if it is too large.
  init?(below number: Double, places: Int) {
    var places = places
    func scaled(_ places: Int) -> Double { (0..<places).reduce(number) { value, _ in value * 10 } }
    while places > 0, scaled(places).magnitude >= 0x1p52 { places -= 1 }
    let units = scaled(places).rounded(.down) - 1
    guard units.magnitude < 0x1p52 else { return nil }
    (self.units, self.places) = (Int(units), places)
  }

  private var scale: Int { (0..<places).reduce(1) { scale, _ in scale * 10 } }

  /// The whole number below it, or itself.
  var whole: Int { units >= 0 ? units / scale : -((scale - 1 - units) / scale) }

  /// What it has above the whole number, in a number of digits.
  func fraction(_ count: Int) -> String {
    let digits = places == 0 ? "" : CivilTime.padded(units - whole * scale, places)
    return digits + String(repeating: "0", count: max(0, count - places))
  }

  var text: String {
    let digits = CivilTime.padded(abs(units), places + 1)
    let whole = (units < 0 ? "-" : "") + digits.dropLast(places)
    return places == 0 ? whole : "\(whole).\(digits.suffix(places))"
  }
}
