internal import Support

/// A value that tasks can wait on until it meets a condition.
///
/// Every waiter is resumed exactly once: by the change that meets its condition or by the cancellation of its
/// task, whichever removes it from the list first. The lock guards the value and the list; continuations are
/// resumed after it is released.
final class Awaitable<Value: Sendable>: Sendable {
  private struct Waiter {
    let id: UInt64
    let condition: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Guarded {
    var value: Value
    var nextID: UInt64 = 0
    var waiters: [Waiter] = []

    mutating func removeSatisfied() -> [Waiter] {
      guard waiters.contains(where: { $0.condition(value) }) else { return [] }
      let satisfied = waiters.filter { $0.condition(value) }
      let ids = Set(satisfied.map(\.id))
      waiters.removeAll { ids.contains($0.id) }
      return satisfied
    }
  }

  private let guarded: Lock<Guarded>

  init(_ value: Value) { guarded = Lock(Guarded(value: value)) }

  /// The current value.
  var value: Value { guarded.withLock { $0.value } }

  /// Changes the value and resumes the waiters whose condition it meets.
  func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
    let (result, satisfied) = guarded.withLock { guarded in
      let result = change(&guarded.value)
      return (result, guarded.removeSatisfied())
    }
    for waiter in satisfied { waiter.continuation.resume() }
    return result
  }

  /// Waits until the value meets the condition; throws `CancellationError` if the task is cancelled first.
  func wait(until condition: @escaping @Sendable (Value) -> Bool) async throws {
    let id = guarded.withLock { guarded in
      guarded.nextID += 1
      return guarded.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        park(Waiter(id: id, condition: condition, continuation: continuation))
      }
    } onCancel: {
      let cancelled = guarded.withLock { guarded -> Waiter? in
        guard let index = guarded.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return guarded.waiters.remove(at: index)
      }
      cancelled?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Adds a waiter, unless its task was already cancelled. Then the cancellation handler has run or waits for
  /// the lock, and in both cases the flag is set.
  private func park(_ waiter: Waiter) {
    let outcome = guarded.withLock { guarded -> Result<Void, CancellationError>? in
      if Task.isCancelled { return .failure(CancellationError()) }
      if waiter.condition(guarded.value) { return .success(()) }
      guarded.waiters.append(waiter)
      return nil
    }
    if let outcome { waiter.continuation.resume(with: outcome) }
  }
}

/// A number that only grows, with tasks that wait for it.
package final class Counter: Sendable {
  private struct State {
    var value = 0
    var hasEnded = false
  }

  private let state = Awaitable(State())

  /// Creates a counter at zero.
  package init() {}

  /// The current number.
  package var value: Int { state.value.value }

  /// Adds to the number, resumes the tasks that waited for it and returns the new number.
  @discardableResult package func add(_ amount: Int = 1) -> Int {
    state.update { state in
      state.value += amount
      return state.value
    }
  }

  /// Resumes all waiting tasks, because the number will not grow any more.
  package func end() { state.update { $0.hasEnded = true } }

  /// Waits until the number is `wanted`; returns false if the counter ended or the task was cancelled first.
  @discardableResult package func reaches(_ wanted: Int) async -> Bool {
    try? await state.wait { $0.value >= wanted || $0.hasEnded }
    return value >= wanted
  }
}
