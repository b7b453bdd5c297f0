internal import ItemMapping
internal import Support

/// A date as ISO 8601 writes it, with what its form is: `2026-01-31`, or `2026-01-31T23:59:59` with or without a
/// fraction and a zone. A date without a zone is taken for one in UTC.
struct StampDate {
  /// The seconds since 1970.
  let seconds: Double
  /// Whether it has a time.
  private let hasTime: Bool
  /// What stands between the day and the time.
  private let separator: Character
  /// The number of digits after the seconds; `nil` without a point.
  private let places: Int?
  /// What follows the seconds and their fraction, and how many seconds east of UTC it says.
  private let zone: (text: String, offset: Int)

  init?(_ text: String) {
    var text = text
    guard let date = text.withUTF8(Self.init) else { return nil }
    self = date
  }

  private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var scanner = DateScanner(bytes)
    guard var time = scanner.day() else { return nil }
    hasTime = !scanner.isAtEnd
    var (separator, places, zone): (UInt8, Int?, (String, Int)) = (UInt8(ascii: "T"), nil, ("", 0))
    var fraction = 0.0
    if hasTime {
      separator = bytes[bytes.count - scanner.left]
      guard "Tt ".utf8.contains(separator), scanner.take(separator), let moment = scanner.time(on: time) else {
        return nil
      }
      time = moment
      let before = scanner.left
      guard let value = scanner.fraction() else { return nil }
      (places, fraction) = (before == scanner.left ? nil : before - scanner.left - 1, value)
      let text = String(decoding: bytes.suffix(scanner.left), as: UTF8.self)
      guard let offset = text.isEmpty ? 0 : scanner.zone(takesHours: true), scanner.isAtEnd else { return nil }
      zone = (text, offset)
    }
    guard time.isValid else { return nil }
    (self.separator, self.places, self.zone) = (Character(Unicode.Scalar(separator)), places, zone)
    seconds = Double(time.seconds - zone.1) + fraction
  }

  /// Returns a date that is earlier by a distance in seconds and by the least step of the form, in the same form.
  func text(loweredBy distance: Double) -> String? {
    guard hasTime else {
      let lower = seconds - distance
      guard lower.magnitude < 1e12 else { return nil }
      return CivilTime(seconds: Int((lower / 86_400).rounded(.down) - 1) * 86_400)?.dayText
    }
    guard let lower = Decimals(below: seconds - distance, places: places ?? 0),
      let time = CivilTime(seconds: lower.whole + zone.offset)
    else { return nil }
    let fraction = places.map { "." + lower.fraction($0) } ?? ""
    return "\(time.dayText)\(separator)\(time.timeText)\(fraction)\(zone.text)"
  }
}
