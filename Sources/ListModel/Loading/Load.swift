internal import Support

/// One call to load: how it ended, when it has, and the means to end it.
///
/// ```swift
/// let load = books.loadNextPage()        // returns at once
/// switch await load.outcome { … }
/// ```
///
/// Letting go of it changes nothing; the load goes on for the list.
public final class Load: Sendable {
  private struct State {
    var outcome: LoadOutcome?
    var waiters: [CheckedContinuation<LoadOutcome, Never>] = []
  }

  /// Guards the outcome and who waits for it. Nobody is resumed while it is held.
  private let state = Lock(State())
  private let onCancel: @MainActor @Sendable () -> Void

  init(onCancel: @escaping @MainActor @Sendable () -> Void) { self.onCancel = onCancel }

  /// How it ended. Any number of tasks may wait for it; cancelling one of them cancels the load, as
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

  /// How it ended, or `nil` while it goes on.
  public var outcomeIfFinished: LoadOutcome? { state.withLock { $0.outcome } }

  /// Ends it. Where others wait for the same page, the page still comes.
  @MainActor public func cancel() { onCancel() }

  /// Only the first outcome counts.
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
