/// What placeholders say when nobody says anything else. Every text may be replaced, by one in another
/// language for instance.
public struct PlaceholderTexts: Sendable {
  /// While the first rows are on their way.
  public var loading = "Loading…"
  /// There are no rows.
  public var empty = "Nothing here yet"
  /// The filter leaves all rows out.
  public var filteredEmpty = "Nothing matches"
  /// The load failed.
  public var failed = "This could not be loaded"
  /// The server can't be reached.
  public var offline = "You are offline"
  /// The server can't be reached, and what is known is from then.
  public var offlineSince: @Sendable (_ age: String) -> String = {
    "You are offline. Last loaded \($0)"
  }
  /// How long ago something was.
  public var age: @Sendable (Duration) -> String = { PlaceholderTexts.english($0) }
  /// The action after a failure.
  public var retry = "Try again"
  /// The action where there are no rows.
  public var refresh = "Refresh"
  /// The action where further pages may have rows.
  public var loadMore = "Look further"

  /// Short English texts.
  public init() {}

  /// How long ago something was, such as `5 minutes ago`.
  static func english(_ age: Duration) -> String {
    let seconds = max(0, age.components.seconds)
    guard seconds >= 60 else { return "just now" }
    let (count, unit): (Int64, String) =
      switch seconds {
      case ..<3_600: (seconds / 60, "minute")
      case ..<86_400: (seconds / 3_600, "hour")
      default: (seconds / 86_400, "day")
      }
    return "\(count) \(unit)\(count == 1 ? "" : "s") ago"
  }
}
