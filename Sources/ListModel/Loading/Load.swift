internal import Support

/// A handle for one load, to await its outcome or cancel it.
///
/// ```swift
/// let load = books.loadNextPage()        // returns at once
/// switch await load.outcome { … }
/// ```
///
/// Releasing the handle does not cancel the load.
public final class Load: Sendable {
  private struct State {
    var outcome: LoadOutcome?
    var waiters: [CheckedContinuation<LoadOutcome, Never>] = []
  }

  /// Guards the outcome and its waiters. No waiter is resumed while the lock is held.
  private let state = Lock(State())
  private let onCancel: @MainActor @Sendable () -> Void

  init(onCancel: @escaping @MainActor @Sendable () -> Void) { self.onCancel = onCancel }

  /// How the load ended. Any number of tasks may wait for it; cancelling one of them cancels the load, as
  /// ``cancel()`` does.
  public var outcome: LoadOutcome {
    get async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let outcome = state.withLock { state in
            if state.outcome == nil { state.waiters.append(continuation) }
            return state.outcome
          }
          if let outcome { continuation.resume(returning: outcome) }
        }
      } onCancel: {
        Task { @MainActor in cancel() }
      }
    }
  }

  /// How the load ended, or `nil` while it runs.
  public var outcomeIfFinished: LoadOutcome? { state.withLock { $0.outcome } }

  /// Cancels the load. Other loads that wait for the same page still get it.
  @MainActor public func cancel() { onCancel() }

  /// Sets the outcome and resumes the waiters. Only the first call has an effect.
  func finish(_ outcome: LoadOutcome) {
    let waiters = state.withLock { state in
      guard state.outcome == nil else { return [CheckedContinuation<LoadOutcome, Never>]() }
      state.outcome = outcome
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }
}
