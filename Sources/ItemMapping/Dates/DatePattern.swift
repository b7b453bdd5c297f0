internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A layout of dates, parsed from a text such as `yyyyMMdd HH:mm`.
struct DatePattern: Sendable, Hashable {
  enum Field: String, Sendable, Hashable {
    case year = "yyyy"
    case month = "MM"
    case day = "dd"
    case hour = "HH"
    case minute = "mm"
    case second = "ss"

    /// The field that this one requires.
    var larger: Field? {
      switch self {
      case .year: nil
      case .month: .year
      case .day: .month
      case .hour: .day
      case .minute: .hour
      case .second: .minute
      }
    }
  }

  enum Element: Sendable, Hashable {
    case field(Field)
    /// This number of digits of the second.
    case fraction(Int)
    case zone
    case literal([UInt8])
  }

  let text: String
  let elements: [Element]
  /// Why the pattern is invalid. An invalid pattern neither reads nor writes.
  let problem: String?

  init(_ text: String) {
    self.text = text
    do throws(Fault) {
      elements = try Self.elements(text.unicodeScalars)
      problem = nil
    } catch {
      elements = []
      problem = "the date pattern \"\(text)\": \(error.text)"
    }
  }

  func date(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    if problem != nil { return nil }
    var scanner = DateScanner(utf8)
    var time = CivilTime(year: 0)
    var fraction = 0.0
    var offset = 0
    for element in elements {
      switch element {
      case .field(let field):
        guard let value = scanner.digits(field.rawValue.utf8.count) else { return nil }
        time[field] = value
      case .fraction(let count):
        guard let parts = scanner.digits(count) else { return nil }
        fraction = Double(parts) / DecimalDigits.powers[count]
      case .zone:
        guard let zone = scanner.zone(takesHours: true) else { return nil }
        offset = zone
      case .literal(let bytes):
        guard scanner.take(bytes) else { return nil }
      }
    }
    return scanner.isAtEnd ? time.date(offset: offset, fraction: fraction) : nil
  }

  func text(_ moment: DecimalMoment) -> String? {
    guard problem == nil, let time = moment.civil() else { return nil }
    return elements.map { element in
      switch element {
      case .field(let field): CivilTime.padded(time[field], field.rawValue.utf8.count)
      case .fraction(let count): moment.digits(count)
      case .zone: "Z"
      case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
      }
    }.joined()
  }
}

extension CivilTime {
  fileprivate subscript(field: DatePattern.Field) -> Int {
    get {
      switch field {
      case .year: year
      case .month: month
      case .day: day
      case .hour: hour
      case .minute: minute
      case .second: second
      }
    }
    set {
      switch field {
      case .year: year = newValue
      case .month: month = newValue
      case .day: day = newValue
      case .hour: hour = newValue
      case .minute: minute = newValue
      case .second: second = newValue
      }
    }
  }
}
