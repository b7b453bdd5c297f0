public import ListModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Placeholder {
  /// The placeholders for each reason.
  ///
  /// ```swift
  /// settings.placeholders.custom = { $0 == .empty ? "welcome" : nil }
  /// settings.placeholders.parts = { reason, parts in
  ///   var parts = parts
  ///   if reason == .filteredEmpty { parts.message = "No book of that name" }
  ///   return parts
  /// }
  /// ```
  ///
  /// A custom view takes precedence over parts, and parts over ``texts``.
  public struct Plan {
    /// The name of a custom view for a reason; `nil` leaves it to the parts.
    public var custom: (Placeholder.Reason) -> String? = { _ in nil }
    /// Changes the default parts; return `nil` for no placeholder.
    public var parts: (Placeholder.Reason, Placeholder.Content) -> Placeholder.Content? = { $1 }
    /// The default texts.
    public var texts = Placeholder.Plan.Texts()
    /// The center of the picture, measured from the top, as a fraction of the height.
    public var relativeCenter = 0.382
    /// The space between picture and message.
    public var spacing = 24.0
    /// Whether placeholders move with the content when the view is pulled.
    public var scrollsWithContent = true
    /// Whether placeholders are shown.
    public var isEnabled = true

    /// Creates the default placeholders.
    public init() {}

    /// A plan without placeholders.
    public static var none: Placeholder.Plan {
      var plan = Placeholder.Plan()
      plan.isEnabled = false
      return plan
    }

    /// Returns the placeholder for a reason.
    ///
    /// - Parameter now: The current date. Without it, texts always include the day.
    public func placeholder(for reason: Placeholder.Reason?, at now: Date? = nil) -> Placeholder? {
      placeholder(for: reason, at: now, canRefresh: true, canLoadMore: true)
    }

    /// Returns the placeholder for a reason, without an action that is impossible.
    func placeholder(
      for reason: Placeholder.Reason?, at now: Date?, canRefresh: Bool, canLoadMore: Bool
    ) -> Placeholder? {
      guard isEnabled, let reason else { return nil }
      let body: Placeholder.Body
      if let name = custom(reason) {
        body = .custom(name)
      } else if let parts = parts(
        reason, usualParts(for: reason, now, canRefresh: canRefresh, canLoadMore: canLoadMore))
      {
        body = .parts(parts)
      } else {
        return nil
      }
      return Placeholder(
        reason: reason, body: body, relativeCenter: relativeCenter, spacing: spacing,
        scrollsWithContent: scrollsWithContent)
    }

    private func usualParts(
      for reason: Placeholder.Reason, _ now: Date?, canRefresh: Bool, canLoadMore: Bool
    ) -> Placeholder.Content {
      var parts = usualParts(for: reason, now)
      switch parts.action?.kind {
      case .refresh where !canRefresh && canLoadMore:
        parts.action = Placeholder.Action(.loadMore, title: texts.loadMore)
      case .refresh where !canRefresh, .loadMore where !canLoadMore,
        .retry where !canRefresh && !canLoadMore:
        parts.action = nil
      default: break
      }
      return parts
    }

    private func usualParts(for reason: Placeholder.Reason, _ now: Date?) -> Placeholder.Content {
      switch reason {
      case .loadingFirst: Placeholder.Content(texts.loading, isBusy: true)
      case .empty:
        Placeholder.Content(texts.empty, action: Placeholder.Action(.refresh, title: texts.refresh))
      case .filteredEmpty:
        Placeholder.Content(
          texts.filteredEmpty, action: Placeholder.Action(.loadMore, title: texts.loadMore))
      case .failed:
        Placeholder.Content(texts.failed, action: Placeholder.Action(.retry, title: texts.retry))
      case .unreachable(let moment):
        Placeholder.Content(
          moment.flatMap { Freshness.stored(asOf: $0).text(at: now, in: texts.timeZone) }
            .map(texts.unreachableSince) ?? texts.unreachable,
          action: Placeholder.Action(.retry, title: texts.retry))
      }
    }
  }
}

extension Placeholder.Plan {
  /// The texts that a list shows in place of rows and around them. Each can be replaced: this is the one place where a
  /// program gives its own language.
  public struct Texts: Sendable {
    /// The first rows are being loaded.
    public var loading = "Loading…"
    /// The list is empty.
    public var empty = "Nothing here yet"
    /// The filter leaves all rows out.
    public var filteredEmpty = "Nothing matches"
    /// The load failed.
    public var failed = "The list could not be loaded"
    /// The server can't be reached.
    public var unreachable = "The server can't be reached"
    /// The server can't be reached, and the known data is `from 10:42`, as ``Freshness`` describes it.
    public var unreachableSince: @Sendable (_ moment: String) -> String = {
      "The server can't be reached. The last known list is \($0)"
    }
    /// The time zone of the reader.
    public var timeZone = TimeZone.current
    /// The title of the action after a failure.
    public var retry = "Try again"
    /// The title of the action when there are no rows.
    public var refresh = "Refresh"
    /// The title of the action when further pages may have rows.
    public var loadMore = "Load more"
    /// The footer, while it is pulled far enough.
    public var releaseToLoadMore = "Release to load more"
    /// The footer after the next page failed.
    public var nextFailed = "The next page could not be loaded. Tap to try again."
    /// A gap with this number of rows; `nil` if it isn't known.
    public var gap: @Sendable (_ size: Int?) -> String = { size in
      (size.map { $0 == 1 ? "1 row is missing here." : "\($0) rows are missing here." } ?? "Rows are missing here.")
        + " Tap to load them."
    }
    /// A gap whose rows could not be loaded.
    public var gapFailed = "The rows that are missing here could not be loaded. Tap to try again."
    /// A gap that the server has no more rows for.
    public var gapUnavailable = "Rows are missing here, and the server no longer has them."
    /// The footer at the end of the list.
    public var noMore = "No more rows"
    /// The footer at the end of a list that may lack rows.
    public var mayLackRows = "The list ends here, but rows may be missing"
    /// Above rows that could not be refreshed; empty to show nothing.
    public var refreshFailed = "The list could not be refreshed. Tap to try again."
    /// Above the rows, how many rows are new; empty to show nothing.
    public var newRows: @Sendable (_ new: NewRows) -> String = { "\($0)" }
    /// The title of the action that deletes a row.
    public var delete = "Delete"

    /// Creates the default English texts.
    public init() {}
  }
}
