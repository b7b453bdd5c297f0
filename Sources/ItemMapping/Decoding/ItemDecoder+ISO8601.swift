#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ItemDecoder {
  /// Reads a date like Foundation's `.iso8601`. The usual form is parsed here, all others by
  /// Foundation.
  static func iso8601Date(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    if let seconds = plainDate(utf8) { return Date(timeIntervalSince1970: seconds) }
    return try? Date.ISO8601FormatStyle().parse(String(decoding: utf8, as: UTF8.self))
  }

  /// The seconds of a date in the form `2024-05-01T10:20:30Z`.
  private static func plainDate(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard text.count == 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      text[19] == UInt8(ascii: "Z")
    else { return nil }
    var isPlain = true
    func number(_ start: Int, _ count: Int) -> Int {
      var number = 0
      for byte in text[start..<start + count] {
        isPlain = isPlain && byte &- UInt8(ascii: "0") < 10
        number = number &* 10 &+ Int(byte &- UInt8(ascii: "0"))
      }
      return number
    }
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
    // Days that not every month has, and years before the Gregorian calendar, are left to
    // Foundation.
    guard isPlain, year >= 1583, 1...12 ~= month, 1...28 ~= day, hour < 24, minute < 60, second < 60
    else { return nil }
    // The year starts in March, so that a leap day is its last.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    return Double(((days * 24 + hour) * 60 + minute) * 60 + second)
  }
}
