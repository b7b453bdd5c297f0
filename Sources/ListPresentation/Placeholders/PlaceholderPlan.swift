internal import ListModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What stands in the place of rows, for each reason.
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
/// A full view of the program's own goes before parts, and parts before ``texts``.
public struct PlaceholderPlan {
  /// The name of a full view of the program's own; `nil` leaves it to the parts.
  public var custom: (Placeholder.Reason) -> String? = { _ in nil }
  /// Changes the usual parts; `nil` for no placeholder at all.
  public var parts: (Placeholder.Reason, Placeholder.Content) -> Placeholder.Content? = { $1 }
  /// The usual texts.
  public var texts = PlaceholderPlan.Texts()
  /// Where placeholders are.
  public var layout = Placeholder.Layout()
  /// Whether they move along when the view is pulled.
  public var scrollsWithContent = true
  /// Whether there are placeholders.
  public var isEnabled = true

  /// The usual placeholders.
  public init() {}

  /// No placeholders, whatever the reason.
  public static var none: PlaceholderPlan {
    var plan = PlaceholderPlan()
    plan.isEnabled = false
    return plan
  }

  /// The placeholder for a reason.
  ///
  /// - Parameter now: The moment it is read; without it, texts always say the day.
  public func placeholder(for reason: Placeholder.Reason?, at now: Date? = nil) -> Placeholder? {
    guard isEnabled, let reason else { return nil }
    let body: Placeholder.Body
    if let name = custom(reason) {
      body = .custom(name)
    } else if let parts = parts(reason, usualParts(for: reason, now)) {
      body = .parts(parts)
    } else {
      return nil
    }
    return Placeholder(
      reason: reason, body: body, layout: layout, scrollsWithContent: scrollsWithContent)
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
    case .offline(let moment):
      Placeholder.Content(
        moment.flatMap { Freshness.stored(asOf: $0).text(at: now, offset: texts.clockOffset) }
          .map(texts.offlineSince) ?? texts.offline,
        action: Placeholder.Action(.retry, title: texts.retry))
    }
  }
}

extension PlaceholderPlan {
  /// What placeholders say when nobody says anything else. Every text may be replaced, by one in another
  /// language for instance.
  public struct Texts: Sendable {
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
}
