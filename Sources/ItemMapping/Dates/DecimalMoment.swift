internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A moment in decimal digits, as dates are written: whole seconds and what is left.
struct DecimalMoment: Hashable {
  /// Since 1970.
  var seconds: Int
  /// So many parts of a second, where 10^``places`` make one.
  var parts: Int
  var places: Int

  /// A date in the fewest digits that give the same date again: none, three, six and so on to 18.
  /// `nil` outside of the years from 0 to 9999.
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

  /// From 1970 to the date that `Date` counts from.
  static var reference: Int { 978_307_200 }

  /// The parts behind the point in exactly so many digits. What does not fit is cut off.
  func digits(_ count: Int) -> String {
    let all = CivilTime.padded(parts, places)
    guard places > 0, count > 0 else { return String(repeating: "0", count: count) }
    return String((all + String(repeating: "0", count: count)).prefix(count))
  }

  /// The day and time so far east of Greenwich.
  func civil(offset: Int = 0) -> CivilTime? { CivilTime(seconds: seconds + offset) }
}

extension CivilTime {
  /// The nearest date to this time in a zone so far east of Greenwich; `nil` where there is no such
  /// day or time. A leap second is the second after it, and comes at midnight in Greenwich only.
  @inline(__always)
  func date(offset: Int = 0, fraction: Double = 0) -> Date? {
    guard isReal else { return nil }
    let seconds = seconds - offset
    if second == 60, seconds % 86_400 != 0 { return nil }
    return Date(
      timeIntervalSinceReferenceDate: Double(seconds - DecimalMoment.reference) + fraction)
  }
}
