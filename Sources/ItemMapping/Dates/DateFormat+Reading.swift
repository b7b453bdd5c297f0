internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension DateFormat {
  /// Returns the date at this index, or `nil` if the value doesn't match this format.
  func date(at index: Int, of document: JSONDocument) -> Date? {
    withExtendedLifetime(document) {
      if problem != nil { return nil }
      if case .number(let unit) = form { return unit.date(at: index, of: document) }
      let tape = document.tape
      guard tape.tag(index) == JSONTape.Tag.string else { return nil }
      let text = tape.utf8(index)
      return switch form {
      case .rfc3339: RFC3339.date(text)
      case .day: RFC3339.day(text)
      case .local(let offset): RFC3339.localDate(text, offset: offset)
      case .http: HTTPDate.time(text)?.date()
      case .pattern: pattern?.date(text)
      case .number: nil
      }
    }
  }

  /// Returns the date in this format; `null` for a date outside of the years from 0 to 9999.
  func json(_ date: Date) -> JSONAny {
    guard problem == nil, let moment = DecimalMoment(date) else { return .null }
    if case .number(let unit) = form { return unit.json(date) }
    let text: String? =
      switch form {
      case .rfc3339: RFC3339.text(moment).map { $0 + "Z" }
      case .day: moment.civil()?.dayText
      case .local(let offset): RFC3339.text(moment, offset: offset)
      case .http: moment.civil().map(HTTPDate.text)
      case .pattern: pattern?.text(moment)
      case .number: nil
      }
    return text.map(JSONAny.string) ?? .null
  }
}

extension [DateFormat] {
  /// The formats of a field that declares none.
  static let usual: [DateFormat] = [.rfc3339, .day]

  /// Returns the date at this index in the first format that matches.
  func date(at index: Int, of document: JSONDocument) -> Date? {
    for format in self {
      if let date = format.date(at: index, of: document) { return date }
    }
    return nil
  }
}

extension DateUnit {
  /// The microseconds from 1970 to the reference date of `Date`.
  private static var reference: Double { Double(DecimalMoment.reference) * 1e6 }

  /// Reads a number. A number with at most microsecond precision becomes the same date as its
  /// digits in any other format, although `Date` has another reference date.
  func date(at index: Int, of document: JSONDocument) -> Date? {
    let number: Double
    switch Coercion.double(at: index, of: document, CoercionRules()) {
    case .exact(let value), .converted(let value, .converted): number = value
    default: return nil
    }
    let seconds = number / perSecond
    guard seconds >= Double(CivilTime.range.lowerBound),
      seconds < Double(CivilTime.range.upperBound)
    else { return nil }
    let scale = 1e6 / perSecond
    let micros = (number * scale).rounded()
    guard micros.magnitude < 0x1p53, micros / scale == number else {
      return Date(timeIntervalSince1970: seconds)
    }
    return Date(timeIntervalSinceReferenceDate: (micros - Self.reference) / 1e6)
  }

  /// Returns a number, as an integer if that loses nothing. The date must be in the years from 0 to
  /// 9999.
  func json(_ date: Date) -> JSONAny {
    let moment = date.timeIntervalSinceReferenceDate
    let micros = (moment * 1e6).rounded()
    let number =
      micros.magnitude < 0x1p53 && micros / 1e6 == moment
      ? (micros + Self.reference) / (1e6 / perSecond) : date.timeIntervalSince1970 * perSecond
    return Int(exactly: number).map(JSONAny.int) ?? .double(number)
  }
}
