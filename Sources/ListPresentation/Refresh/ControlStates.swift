public import ListModel

/// What stands above the rows for whoever pulls them down.
public enum HeaderState: Hashable, Sendable {
  /// Nothing; pulling down does nothing.
  case hidden
  /// Nothing yet.
  case idle
  /// It is pulled, by this part of what it takes.
  case pulling(Double)
  /// It is pulled far enough: a refresh begins when it is let go.
  case triggered
  /// A refresh runs.
  case loading
}

/// What stands below the rows.
public enum FooterState: Hashable, Sendable {
  /// Nothing.
  case hidden
  /// There may be more rows.
  case idle
  /// It is pulled far enough: the next page is loaded when it is let go.
  case triggered
  /// The next page is on its way.
  case loading
  /// The next page did not come; whoever taps on this tries again.
  case failed(LoadError)
  /// There are no more rows.
  case noMore(ListEnd)
}

/// How a refresh ended, for the control that shows it.
public enum RefreshOutcome: Hashable, Sendable {
  /// The rows are those of now.
  case succeeded
  /// They are those of before.
  case failed(LoadError)
  /// They are those of before, on purpose.
  case cancelled
}

/// Ends one refresh that the program carries out by itself: exactly once, however often it is told, and as
/// cancelled where it is let go without a word.
@MainActor public final class RefreshToken {
  private var onEnd: ((RefreshOutcome) -> Void)?

  /// A token of a refresh that runs.
  public init(onEnd: @escaping (RefreshOutcome) -> Void) { self.onEnd = onEnd }

  isolated deinit { end(.cancelled) }

  /// Whether the refresh is over.
  public var hasEnded: Bool { onEnd == nil }

  /// Ends the refresh.
  ///
  /// - Returns: Whether it was this call that did.
  @discardableResult public func end(_ outcome: RefreshOutcome) -> Bool {
    guard let onEnd else { return false }
    self.onEnd = nil
    onEnd(outcome)
    return true
  }
}
