internal import Support

/// How long an answer is good, and how old it is (RFC 9111, section 4.2).
struct FreshnessLifetime: Hashable, Sendable, CustomStringConvertible {
  /// What says how long it is good.
  enum Basis: Hashable, Sendable {
    case maxAge
    case expires
    /// A tenth of the time since it was last modified.
    case lastModified
    /// `max-age` is no number, or contradicts itself.
    case unusableMaxAge
    /// `Expires` is no date.
    case unusableExpires
    /// The answer names no time.
    case nothing
    /// It comes from the future, so nobody knows its age.
    case clockWentBack
  }

  /// How long it is good, in seconds, from when the server made it.
  var lifetime: Double
  /// How long ago that is, in seconds.
  var age: Double
  var basis: Basis

  /// How much longer it is good; negative where it is stale for so long.
  var remaining: Double { lifetime - age }

  /// An answer whose time is just up is stale.
  var isFresh: Bool { lifetime > age }

  /// How long it has been stale; without end where nobody knows.
  var staleness: Double { basis == .clockWentBack ? .infinity : age - lifetime }

  /// `fresh for another 40 s (max-age=60)`.
  var description: String {
    var text = ""
    text.reserveCapacity(48)
    switch basis {
    case .clockWentBack: return "stale, since the clock went back after it came"
    case .nothing: return "stale, since it names no time"
    case .unusableMaxAge: return "stale, since its max-age is no number of seconds"
    case .unusableExpires: return "stale, since its Expires is no date"
    case .maxAge, .expires, .lastModified: break
    }
    text += isFresh ? "fresh for another " : "stale for "
    text += String(Int(wholeSeconds: abs(remaining).rounded(isFresh ? .up : .down)))
    switch basis {
    case .expires: text += " s (Expires)"
    case .lastModified: text += " s (a tenth of its age when it came)"
    default:
      text += " s (max-age="
      text += String(Int(wholeSeconds: lifetime))
      text += ")"
    }
    return text
  }
}

extension CacheRules {
  /// How much longer an answer is good, or `nil` where it must be validated each time.
  func freshness(of response: StoredResponse, now: Double) -> FreshnessLifetime? {
    let fields = ResponseFields(response.headers)
    guard !fields.control.flags.contains(.noCache) else { return nil }
    return freshness(of: response, fields, now: now)
  }

  func freshness(of response: StoredResponse, _ fields: ResponseFields, now: Double)
    -> FreshnessLifetime
  {
    let date = fields.date.flatMap { HTTPDate.seconds($0, now: response.receivedAt) }
    let age = Self.age(of: response, fields, date: date, now: now)
    // Clocks are set right by small steps all the time.
    guard response.receivedAt - now <= Self.clockStep else {
      return FreshnessLifetime(lifetime: 0, age: age, basis: .clockWentBack)
    }
    let (lifetime, basis) = lifetime(of: response, fields, date: date)
    return FreshnessLifetime(lifetime: lifetime, age: age, basis: basis)
  }

  /// By how much a clock may go back without anybody noticing, in seconds.
  private static let clockStep = 5.0

  /// RFC 9111, section 4.2.1. Several that are in the answer do not add up: the first of `max-age`,
  /// `Expires` and a guess that is there decides, be it readable or not.
  private func lifetime(
    of response: StoredResponse, _ fields: ResponseFields, date: Double?
  ) -> (Double, FreshnessLifetime.Basis) {
    switch fields.control.maxAge {
    case .seconds(let seconds): return (seconds, .maxAge)
    case .unusable: return (0, .unusableMaxAge)
    case .absent: break
    }
    let date = date ?? response.receivedAt
    if let text = fields.expires {
      guard !fields.hasSeveralExpires,
        let expires = HTTPDate.seconds(text, now: response.receivedAt)
      else { return (0, .unusableExpires) }
      return (max(0, expires - date), .expires)
    }
    guard let text = fields.lastModified,
      let modified = HTTPDate.seconds(text, now: response.receivedAt), modified < date,
      fields.control.flags.contains(.isPublic) || Self.isHeuristic(response.status)
    else { return (0, .nothing) }
    return (min(heuristicLimit, (date - modified) / 10), .lastModified)
  }

  /// RFC 9111, section 4.2.3.
  private static func age(
    of response: StoredResponse, _ fields: ResponseFields, date: Double?, now: Double
  ) -> Double {
    let apparent = max(0, response.receivedAt - (date ?? response.receivedAt))
    let delay = max(0, response.receivedAt - response.requestedAt)
    let corrected = (fields.age.map(shownAge) ?? 0) + delay
    return max(apparent, corrected) + max(0, now - response.receivedAt)
  }

  /// The first member of an `Age`; `0` where it is not a number of seconds.
  private static func shownAge(_ text: String) -> Double {
    text.withBytes { bytes in
      let end = bytes.firstIndex(of: 0x2C) ?? bytes.count
      return Double(bytes.trimmed(0, end).number(upTo: CacheControl.limit) ?? 0)
    }
  }

  /// Whether answers with this status may be kept, and for a guessed time, unless they say otherwise
  /// (RFC 9110, section 15.1).
  static func isHeuristic(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }
}
