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
