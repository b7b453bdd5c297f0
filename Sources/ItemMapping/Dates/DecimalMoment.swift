internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A moment in decimal digits, as dates are written: whole seconds and a fraction.
struct DecimalMoment: Hashable {
  /// The seconds since 1970.
  var seconds: Int
  /// The fraction, in units of 10^-``places`` seconds.
  var parts: Int
  var places: Int

  /// Converts a date to the fewest digits that give the same date again: none, three, six and so on
  /// to 18. `nil` outside of the years from 0 to 9999.
  init?(_ date: Date) {
    let moment = date.timeIntervalSinceReferenceDate
    let floor = moment.rounded(.down)
    guard moment.isFinite, moment.magnitude < 0x1p40 else { return nil }
    let rest = moment - floor
    var places = 0
    var parts = 0.0
    while true {
      let power = DecimalDigits.powers[places]
      parts = (rest * power).rounded()
      if floor + parts / power == moment || places == 18 {
        seconds = Int(floor) + Self.reference + (parts == power ? 1 : 0)
        self.parts = parts == power ? 0 : Int(parts)
        self.places = places
        break
      }
      places += 3
    }
    guard CivilTime.range.contains(seconds) else { return nil }
  }

  /// The seconds from 1970 to the reference date of `Date`.
  static var reference: Int { 978_307_200 }

  /// Returns the fraction in exactly this number of digits. Further digits are cut off.
  func digits(_ count: Int) -> String {
    let all = CivilTime.padded(parts, places)
    guard places > 0, count > 0 else { return String(repeating: "0", count: count) }
    return String((all + String(repeating: "0", count: count)).prefix(count))
  }

  /// Returns the day and time at this offset east of UTC.
  func civil(offset: Int = 0) -> CivilTime? { CivilTime(seconds: seconds + offset) }
}

extension CivilTime {
  /// Returns the nearest date to this time at this offset east of UTC; `nil` if the day or time
  /// doesn't exist. A leap second is read as the second after it, and is only valid at midnight
  /// UTC.
  @inline(__always)
  func date(offset: Int = 0, fraction: Double = 0) -> Date? {
    guard isValid else { return nil }
    let seconds = seconds - offset
    if second == 60, seconds % 86_400 != 0 { return nil }
    return Date(
      timeIntervalSinceReferenceDate: Double(seconds - DecimalMoment.reference) + fraction)
  }
}
