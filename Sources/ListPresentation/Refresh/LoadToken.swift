internal import ListModel
internal import ListReading
internal import ServerAPI

/// Ends one load that the program carries out itself: exactly once, no matter how often it is called.
///
/// ```swift
/// screen.settings.loadMoreHandler = { token in
///   Task {
///     do {
///       let page = try await shop.books(after: books.rows.count)
///       guard !token.hasEnded else { return }
///       books.append(contentsOf: page.books)
///       token.end(.succeeded, hasMore: page.hasMore)
///     } catch {
///       token.fail(error)
///     }
///   }
/// }
/// ```
///
/// The end takes effect in a later turn of the main actor, after the changes of the rows before it and in the
/// order of the calls. So a handler may end its token before it returns.
/// ``ListController/eventsDelivered()`` waits for that.
///
/// A token that is released without a call ends its load as cancelled. One that is held for a minute without
/// a call is reported on standard error in debug builds, because its control stays busy.
@MainActor public final class LoadToken {
  /// The time after which a held token is reported.
  package static let patience: Duration = .seconds(60)

  private var onEnd: ((LoadToken.Outcome, _ hasMore: Bool) -> Void)?
  private let isRunning: () -> Bool
  private var watch: Task<Void, Never>?

  /// Creates a token for a running load.
  ///
  /// - Parameters:
  ///   - isRunning: Whether the load still runs. It doesn't if another load has superseded it.
  ///   - onEnd: Ends the load. It is called within the call that ends it.
  package init(
    isRunning: @escaping () -> Bool = { true },
    onEnd: @escaping (LoadToken.Outcome, _ hasMore: Bool) -> Void
  ) {
    self.isRunning = isRunning
    self.onEnd = onEnd
  }

  isolated deinit { end(.cancelled) }

  /// Whether the load has ended, or another one has superseded it. A load that is superseded must not change
  /// the rows.
  public var hasEnded: Bool { onEnd == nil || !isRunning() }

  /// Ends the load, which takes effect in a later turn.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the load.
  ///   - hasMore: Whether further rows can be loaded, if it succeeded.
  /// - Returns: Whether this call ended it.
  @discardableResult public func end(_ outcome: LoadToken.Outcome, hasMore: Bool = true) -> Bool {
    let isFirst = !hasEnded
    watch?.cancel()
    let onEnd = onEnd
    self.onEnd = nil
    if isFirst { onEnd?(outcome, hasMore) }
    return isFirst
  }

  /// Ends the load with an error that was thrown. `CancellationError` ends it as cancelled.
  ///
  /// - Returns: Whether this call ended it.
  @discardableResult public func fail(_ error: any Error) -> Bool {
    let error = error is CancellationError ? nil : LoadError(error)
    return end(error.flatMap { $0.isCancelled ? nil : .failed($0) } ?? .cancelled)
  }

  /// Reports the token once if it is held too long without a call.
  ///
  /// - Parameters:
  ///   - name: The handler that got the token.
  ///   - time: The clock.
  ///   - report: Receives the text.
  func watch(_ name: String, by time: TimeSource, _ report: @escaping (String) -> Void) {
    watch = Task { [weak self] in
      guard (try? await time.sleepToLimit(Self.patience)) != nil, self?.hasEnded == false else { return }
      report(
        "\(name) was called \(Self.patience.components.seconds) seconds ago, and its load has not ended: "
          + "its LoadToken is held, but neither end(_:hasMore:) nor fail(_:) was called. "
          + "Call one of them on every path, also after an error")
    }
  }
}

/// The ends of loads that the program carries out. They take effect in a later turn, in order: a handler that
/// ends its token before it returns must not change the list in the middle of a callback of that list.
@MainActor final class LoadEnds {
  private var waiting: [() -> Void] = []
  private var isDue = false
  private var added = 0
  private var done = 0
  private var waiters = DeliveryWaiters()

  /// Whether all ends have taken effect.
  var isEmpty: Bool { waiting.isEmpty }

  /// Adds an end, or a call that must not take effect before the ends so far.
  func add(_ end: @escaping () -> Void) {
    waiting.append(end)
    added += 1
    scheduleDelivery()
  }

  /// Waits until the ends so far have taken effect.
  func delivered() async {
    guard !isEmpty else { return }
    let step = added
    await withCheckedContinuation { waiters.add($0, until: step) }
  }

  private func scheduleDelivery() {
    guard !isEmpty, !isDue else { return }
    isDue = true
    Task { [weak self] in self?.deliver() }
  }

  /// Delivers everything that waits now. Ends that this causes take effect in a later turn.
  private func deliver() {
    isDue = false
    for _ in 0..<waiting.count {
      waiting.removeFirst()()
      done += 1
    }
    scheduleDelivery()
    waiters.resume(after: done)
  }
}
