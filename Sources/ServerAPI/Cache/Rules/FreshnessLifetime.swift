internal import Support

/// The freshness lifetime and the current age of a response (RFC 9111, section 4.2).
struct FreshnessLifetime: Hashable, Sendable, CustomStringConvertible {
  /// The source of the freshness lifetime.
  enum Basis: Hashable, Sendable {
    case maxAge
    case expires
    /// A tenth of the time since the last modification.
    case lastModified
    /// The program set it for its call.
    case call
    /// `max-age` is not a number, or contradicts itself.
    case invalidMaxAge
    /// `Expires` is not a date.
    case invalidExpires
    /// The response has no expiration time.
    case noExpiration
    /// The response was received in the future, so its age is unknown.
    case clockWentBack
  }

  /// The freshness lifetime in seconds, from the time when the server created the response.
  var lifetime: Double
  /// The current age, in seconds.
  var age: Double
  var basis: Basis

  /// The remaining freshness lifetime, in seconds; negative if the response is stale.
  var remaining: Double { lifetime - age }

  /// A response is stale as soon as its age reaches the lifetime.
  var isFresh: Bool { lifetime > age }

  /// The time since the response became stale, in seconds; infinite if unknown.
  var staleness: Double { basis == .clockWentBack ? .infinity : age - lifetime }

  /// `fresh for another 40 s (max-age=60)`.
  var description: String {
    switch basis {
    case .clockWentBack: return "stale, because the clock was set back after it was received"
    case .noExpiration: return "stale, because it has no expiration time"
    case .invalidMaxAge: return "stale, because its max-age is not a number of seconds"
    case .invalidExpires: return "stale, because its Expires is not a date"
    case .maxAge, .expires, .lastModified, .call: break
    }
    let rest = Int(wholeSeconds: abs(remaining).rounded(isFresh ? .up : .down))
    return String.ascii { text in
      text.append(isFresh ? "fresh for another " : "stale for ")
      text.append(rest)
      switch basis {
      case .expires: text.append(" s (Expires)")
      case .call: text.append(" s (cacheLifetime)")
      case .lastModified: text.append(" s (a tenth of its age when received)")
      default:
        text.append(" s (max-age=")
        text.append(Int(wholeSeconds: lifetime))
        text.append(")")
      }
    }
  }
}

extension CacheRules {
  /// Returns the freshness of a response, or `nil` if it must be validated on every use.
  ///
  /// - Parameter given: The lifetime of a response without one, by the program.
  func freshness(
    of response: StoredResponse, lasting given: Duration? = nil, now: Double
  ) -> FreshnessLifetime? {
    guard !response.fields.control.flags.contains(.noCache) else { return nil }
    return freshnessLifetime(of: response, lasting: given, now: now)
  }

  /// Returns the freshness of a response, even of one that must be validated on every use.
  func freshnessLifetime(
    of response: StoredResponse, lasting given: Duration?, now: Double
  ) -> FreshnessLifetime {
    let age = Self.age(of: response, now: now)
    // Clocks are adjusted in small steps all the time.
    guard response.receivedAt - now <= Self.clockTolerance else {
      return FreshnessLifetime(lifetime: 0, age: age, basis: .clockWentBack)
    }
    let (lifetime, basis) = lifetime(of: response, lasting: given)
    return FreshnessLifetime(lifetime: lifetime, age: age, basis: basis)
  }

  /// The clock adjustment to ignore, in seconds.
  private static let clockTolerance = 5.0

  /// RFC 9111, section 4.2.1. The first of `max-age`, `Expires`, the given lifetime and the heuristic that is
  /// present decides, even if it is invalid. An error doesn't last for the given lifetime.
  private func lifetime(
    of response: StoredResponse, lasting given: Duration?
  ) -> (Double, FreshnessLifetime.Basis) {
    let fields = response.fields
    switch fields.control.maxAge {
    case .seconds(let seconds): return (seconds, .maxAge)
    case .invalid: return (0, .invalidMaxAge)
    case .absent: break
    }
    let date = response.date ?? response.receivedAt
    if let text = fields.expires {
      guard !fields.hasSeveralExpires,
        let expires = HTTPDate.seconds(text, now: response.receivedAt)
      else { return (0, .invalidExpires) }
      return (max(0, expires - date), .expires)
    }
    if let given, (200..<300).contains(response.status) { return (given / .seconds(1), .call) }
    guard let text = fields.lastModified,
      let modified = HTTPDate.seconds(text, now: response.receivedAt), modified < date,
      fields.control.flags.contains(.isPublic) || Self.isHeuristicallyCacheable(response.status)
    else { return (0, .noExpiration) }
    return (min(heuristicLimit, (date - modified) / 10), .lastModified)
  }

  /// RFC 9111, section 4.2.3.
  private static func age(of response: StoredResponse, now: Double) -> Double {
    let apparent = max(0, response.receivedAt - (response.date ?? response.receivedAt))
    let delay = max(0, response.receivedAt - response.requestedAt)
    let corrected = (response.fields.age.map(parsedAge) ?? 0) + delay
    return max(apparent, corrected) + max(0, now - response.receivedAt)
  }

  /// Returns the first member of `Age`; `0` if it is not a number of seconds.
  private static func parsedAge(_ text: String) -> Double {
    text.withBytes { bytes in
      let end = bytes.firstIndex(of: 0x2C) ?? bytes.count
      return Double(bytes.trimmed(0, end).number(upTo: CacheControl.limit) ?? 0)
    }
  }

  /// Whether a response with this status is heuristically cacheable (RFC 9110, section 15.1).
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }
}
