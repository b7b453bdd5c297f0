/// What refreshes a list and what loads further pages. Options may be set in any order, at any time, and
/// taken back.
public struct RefreshOptions: Hashable, Sendable {
  /// Whether the list is refreshed when it appears.
  public enum AutoRefresh: Hashable, Sendable {
    /// Never.
    case never
    /// When nothing was ever loaded.
    case first
    /// Each time it appears.
    case always
    /// When what it shows is at least that old, or of unknown age.
    case ifOlderThan(Duration)
  }

  /// What loads the next page.
  public enum FooterTrigger: Hashable, Sendable {
    /// The last rows coming near.
    case comingNear
    /// Pulling the rows up beyond the last one.
    case pulling
  }

  /// Whether pulling down refreshes. Turned off while a refresh shows, the header goes and the refresh
  /// goes on.
  public var pullsDown = true
  /// Whether pulling up, or coming near the end, loads the next page.
  public var pullsUp = true
  /// How far the rows have to be pulled down.
  public var headerThreshold = 60.0
  /// How far the rows have to be pulled up.
  public var footerThreshold = 60.0
  /// Whether the list is refreshed when it appears, once each time it does.
  public var autoRefresh = AutoRefresh.first
  /// What loads the next page.
  public var footerTrigger = FooterTrigger.comingNear
  /// How near the end of the rows the next page is loaded, and how near the first row the one before it,
  /// in rows.
  public var prefetchDistance = 20
  /// How many pages in a row are loaded without being asked for while rows do not fill the view, pages
  /// bring nothing to show, or the view stays at the first row while pages come in above it. Pulling,
  /// tapping, refreshing and scrolling away from there begin anew.
  public var unaskedPages = 3

  /// The defaults.
  public init() {}
}
