internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension DateFormat {
  /// The date at this index, or `nil` where this format knows none there.
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

  /// The date as this format writes it; `null` for one outside of the years from 0 to 9999.
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
  /// What a field takes that names no format.
  static let usual: [DateFormat] = [.rfc3339, .day]

  /// The date at this index by the first format that knows one there.
  func date(at index: Int, of document: JSONDocument) -> Date? {
    for format in self {
      if let date = format.date(at: index, of: document) { return date }
    }
    return nil
  }
}

extension DateUnit {
  /// So many microseconds lie between 1970 and the date that `Date` counts from.
  private static var reference: Double { Double(DecimalMoment.reference) * 1e6 }

  /// Reads a number. One of microseconds at most becomes the date that its digits in any other
  /// format become, although `Date` counts from elsewhere.
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

  /// Writes a number, as an integer where nothing is lost. The date has to be one of the years from
  /// 0 to 9999.
  func json(_ date: Date) -> JSONAny {
    let moment = date.timeIntervalSinceReferenceDate
    let micros = (moment * 1e6).rounded()
    let number =
      micros.magnitude < 0x1p53 && micros / 1e6 == moment
      ? (micros + Self.reference) / (1e6 / perSecond) : date.timeIntervalSince1970 * perSecond
    return Int(exactly: number).map(JSONAny.int) ?? .double(number)
  }
}
