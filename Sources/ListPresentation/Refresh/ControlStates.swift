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

/// The outcome of a refresh, or of a load that the program carries out itself, for the control that shows it.
public enum RefreshOutcome: Hashable, Sendable {
  /// The rows are current.
  case succeeded
  /// The load failed, and the rows are unchanged.
  case failed(LoadError)
  /// The load was cancelled, and the rows are unchanged.
  case cancelled
}
