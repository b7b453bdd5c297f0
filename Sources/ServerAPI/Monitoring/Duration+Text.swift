extension Duration {
  /// The duration in a readable form: `850 µs`, `41.2 ms`, `3.05 s`.
  var text: String {
    let (seconds, attoseconds) = components
    // Measured durations are far from the bounds, which only keep a huge setting from overflowing.
    let microseconds = max(-9e14, min(9e14, Double(seconds) * 1e6 + Double(attoseconds) / 1e12))
    switch microseconds {
    case ..<999.5: return "\(Int(microseconds.rounded())) µs"
    case ..<999_950: return Self.fixed(microseconds / 1e3, 1) + " ms"
    default: return Self.fixed(microseconds / 1e6, 2) + " s"
    }
  }

  /// The duration in whole seconds, minutes or hours, rounded up, for a person who has to wait that long:
  /// `45 s`, `40 min`, `3 h`.
  var roundedText: String {
    let (whole, rest) = components
    let seconds = rest > 0 ? whole.addingReportingOverflow(1).partialValue : whole
    func rounded(to unit: Int64) -> Int64 { seconds / unit + (seconds % unit > 0 ? 1 : 0) }
    if seconds <= 120 { return "\(max(0, seconds)) s" }
    return seconds <= 120 * 60 ? "\(rounded(to: 60)) min" : "\(rounded(to: 3_600)) h"
  }

  private static func fixed(_ value: Double, _ digits: Int) -> String {
    let scale = digits == 1 ? 10.0 : 100.0
    let scaled = (value * scale).rounded()
    let whole = Int(scaled / scale)
    let rest = String(Int(scaled) - whole * Int(scale))
    return "\(whole)." + String(repeating: "0", count: digits - rest.utf8.count) + rest
  }
}
