public import ListModel

/// The state of the control above the rows, which is pulled down.
public enum HeaderState: Hashable, Sendable {
  /// Not shown; pulling down has no effect.
  case hidden
  /// Not pulled.
  case idle
  /// Pulled by this fraction of the threshold.
  case pulling(Double)
  /// Pulled far enough: releasing it starts a refresh.
  case triggered
  /// A refresh is running.
  case loading
}

/// The state of the control below the rows.
public enum FooterState: Hashable, Sendable {
  /// Not shown.
  case hidden
  /// There may be more rows.
  case idle
  /// Pulled far enough: releasing it loads the next page.
  case triggered
  /// The next page is being loaded.
  case loading
  /// The next page failed to load; a tap retries it.
  case failed(LoadError)
  /// There are no more rows.
  case noMore(ListEnd)
}

/// The outcome of a refresh, for the control that shows it.
public enum RefreshOutcome: Hashable, Sendable {
  /// The rows are current.
  case succeeded
  /// The refresh failed, and the rows are unchanged.
  case failed(LoadError)
  /// The refresh was cancelled, and the rows are unchanged.
  case cancelled
}

/// Ends one refresh that the program carries out itself: exactly once, no matter how often ``end(_:)`` is
/// called. A token that is released without a call ends the refresh as cancelled.
@MainActor public final class RefreshToken {
  private var onEnd: ((RefreshOutcome) -> Void)?

  /// Creates a token for a running refresh.
  package init(onEnd: @escaping (RefreshOutcome) -> Void) { self.onEnd = onEnd }

  isolated deinit { end(.cancelled) }

  /// Whether the refresh has ended.
  public var hasEnded: Bool { onEnd == nil }

  /// Ends the refresh.
  ///
  /// - Returns: Whether this call ended it.
  @discardableResult public func end(_ outcome: RefreshOutcome) -> Bool {
    guard let onEnd else { return false }
    self.onEnd = nil
    onEnd(outcome)
    return true
  }
}
