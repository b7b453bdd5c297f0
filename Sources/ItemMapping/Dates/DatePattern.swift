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
  /// The seconds east of UTC of a time without a zone.
  let offset: Int
  let elements: [Element]
  /// Why the pattern is invalid. An invalid pattern neither reads nor writes.
  let problem: String?

  init(_ text: String, offset: Int = 0) {
    self.text = text
    self.offset = offset
    do throws(Fault) {
      let elements = try Self.elements(text.unicodeScalars)
      if offset != 0, elements.contains(.zone) {
        throw Fault(text: "it has a zone of its own; remove utcOffset")
      }
      (self.elements, problem) = (elements, nil)
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
    var offset = offset
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
    guard problem == nil, let time = moment.civil(offset: offset) else { return nil }
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

extension DatePattern {
  struct Fault: Error { let text: String }

  static func elements(
    _ text: String.UnicodeScalarView
  ) throws(Fault) -> [Element] {
    var elements: [Element] = []
    var rest = text[...]
    while let first = rest.first {
      let element: Element
      if first == "'" {
        element = .literal(try quoted(&rest))
      } else if first.properties.isAlphabetic {
        let letters = rest.prefix { $0 == first }
        rest = rest.dropFirst(letters.count)
        element = try field(String(letters))
      } else {
        rest = rest.dropFirst()
        element = .literal(Array(String(first).utf8))
      }
      if case .literal = element {
      } else if elements.contains(where: { $0.isLike(element) }) {
        throw Fault(text: "\(element.name) is used twice")
      }
      elements.append(element)
    }
    try check(elements)
    return elements
  }

  /// Reads text in single quotes, in which two quotes are a literal one.
  private static func quoted(
    _ rest: inout Substring.UnicodeScalarView
  ) throws(Fault) -> [UInt8] {
    var literal = ""
    var isEmpty = true
    rest = rest.dropFirst()
    while let scalar = rest.popFirst() {
      if scalar == "'" {
        if rest.first != "'" || isEmpty { return Array((isEmpty ? "'" : literal).utf8) }
        rest = rest.dropFirst()
      }
      literal.unicodeScalars.append(scalar)
      isEmpty = false
    }
    throw Fault(text: "a quote is not closed")
  }

  private static func field(_ letters: String) throws(Fault) -> Element {
    if let field = Field(rawValue: letters) { return .field(field) }
    if ["X", "XX", "XXX"].contains(letters) { return .zone }
    if letters.allSatisfy({ $0 == "S" }), 1...9 ~= letters.utf8.count {
      return .fraction(letters.utf8.count)
    }
    throw Fault(
      text: "\"\(letters)\" is not one of yyyy MM dd HH mm ss S…S X; put literal letters in "
        + "single quotes")
  }

  private static func check(_ elements: [Element]) throws(Fault) {
    guard elements.contains(.field(.year)) else { throw Fault(text: "the year (yyyy) is missing") }
    for element in elements {
      let larger: Field? =
        switch element {
        case .field(let field): field.larger
        case .fraction: .second
        default: nil
        }
      guard let larger, !elements.contains(.field(larger)) else { continue }
      throw Fault(text: "\(element.name) requires \(larger.rawValue)")
    }
  }
}

extension DatePattern.Element {
  fileprivate var name: String {
    switch self {
    case .field(let field): field.rawValue
    case .fraction(let count): String(repeating: "S", count: count)
    case .zone: "X"
    case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }

  fileprivate func isLike(_ other: Self) -> Bool {
    if case .fraction = self, case .fraction = other { return true }
    return self == other
  }
}
