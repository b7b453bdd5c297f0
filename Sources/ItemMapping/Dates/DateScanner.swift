package import Support

/// Reads the parts of a date from bytes. Each step returns `nil` if the bytes don't match.
package struct DateScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0

  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  package var isAtEnd: Bool { at == bytes.count }

  /// The number of bytes that are not read yet.
  package var left: Int { bytes.count - at }

  /// Reads exactly this number of digits.
  @inline(__always)
  mutating func digits(_ count: Int) -> Int? {
    guard bytes.count - at >= count else { return nil }
    var value = 0
    for _ in 0..<count {
      let digit = bytes[at] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
      at += 1
    }
    return value
  }

  @inline(__always)
  package mutating func take(_ byte: UInt8) -> Bool {
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  mutating func take(_ literal: some Collection<UInt8>) -> Bool {
    for byte in literal where !take(byte) { return false }
    return true
  }

  /// Reads `2026-01-31`, without checking that the day exists.
  @inline(__always)
  package mutating func day() -> CivilTime? {
    guard let year = digits(4), take(UInt8(ascii: "-")), let month = digits(2),
      take(UInt8(ascii: "-")), let day = digits(2)
    else { return nil }
    return CivilTime(year: year, month: month, day: day)
  }

  /// Reads `23:59:59` and returns it on the given day.
  @inline(__always)
  package mutating func time(on day: CivilTime) -> CivilTime? {
    guard let hour = digits(2), take(UInt8(ascii: ":")), let minute = digits(2),
      take(UInt8(ascii: ":")), let second = digits(2)
    else { return nil }
    var time = day
    time.hour = hour
    time.minute = minute
    time.second = second
    return time
  }

  /// Reads a day and a time with a `T` or a space in between.
  @inline(__always)
  mutating func dayAndTime() -> CivilTime? {
    guard let day = day(), take(UInt8(ascii: "T")) || take(UInt8(ascii: "t")) || take(0x20) else {
      return nil
    }
    return time(on: day)
  }

  /// Reads a decimal point and digits; without a point the fraction is 0.
  @inline(__always)
  package mutating func fraction() -> Double? { take(UInt8(ascii: ".")) ? decimals() : 0 }

  private mutating func decimals() -> Double? {
    let start = at
    var value = 0
    while at < bytes.count, bytes[at] &- UInt8(ascii: "0") < 10 {
      if at - start < 15 { value = value * 10 + Int(bytes[at] &- UInt8(ascii: "0")) }
      at += 1
    }
    let count = at - start
    if count == 0 { return nil }
    if count <= 15 { return Double(value) / DecimalDigits.powers[count] }
    return Double("0." + String(decoding: bytes[start..<at], as: UTF8.self))
  }

  /// Reads `Z`, or an offset from UTC such as `+01:30` or `+0130`, and returns the seconds. `+01`
  /// is accepted only with `takesHours`.
  @inline(__always)
  package mutating func zone(takesHours: Bool = false) -> Int? {
    take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) ? 0 : offset(takesHours)
  }

  private mutating func offset(_ takesHours: Bool) -> Int? {
    let isWest = take(UInt8(ascii: "-"))
    guard isWest || take(UInt8(ascii: "+")), let hours = digits(2), hours < 24 else { return nil }
    var minutes = 0
    if !takesHours || !isAtEnd {
      _ = take(UInt8(ascii: ":"))
      guard let more = digits(2), more < 60 else { return nil }
      minutes = more
    }
    let seconds = (hours * 60 + minutes) * 60
    return isWest ? -seconds : seconds
  }
}
