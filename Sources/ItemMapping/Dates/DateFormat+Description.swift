extension DateFormat: CustomStringConvertible {
  /// An example of the format, or what it is made of.
  public var description: String {
    switch form {
    case .rfc3339: "2026-01-31T23:59:59Z"
    case .day: "2026-01-31"
    case .local: "2026-01-31T23:59:59"
    case .number(.seconds): "seconds since 1970"
    case .number(.milliseconds): "milliseconds since 1970"
    case .http: "Sat, 31 Jan 2026 23:59:59 GMT"
    case .pattern: pattern?.text ?? ""
    }
  }
}
