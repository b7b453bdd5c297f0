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
  /// The server can't be reached, and what is known is `from 10:42`, as ``Freshness`` says it.
  public var offlineSince: @Sendable (_ moment: String) -> String = {
    "You are offline. What is known is \($0)"
  }
  /// How many seconds the reader's clock is before UTC.
  public var clockOffset = 0
  /// The action after a failure.
  public var retry = "Try again"
  /// The action where there are no rows.
  public var refresh = "Refresh"
  /// The action where further pages may have rows.
  public var loadMore = "Look further"

  /// Short English texts.
  public init() {}
}
