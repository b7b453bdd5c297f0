internal import Synchronization

/// A number that only grows, and the tasks that wait for it to reach theirs.
final class LoopbackTally: Sendable {
  private struct State {
    var count = 0
    var hasEnded = false
    var nextID = 0
    var waiters: [Int: (target: Int, continuation: CheckedContinuation<Bool, Never>)] = [:]
  }

  /// Guards the count and the waiters; continuations are resumed outside of it.
  private let state = Mutex(State())

  /// The number now.
  var count: Int { state.withLock { $0.count } }

  /// Counts one more and wakes those who waited for it.
  func add() {
    let due = state.withLock { state in
      state.count += 1
      guard !state.waiters.isEmpty else { return [CheckedContinuation<Bool, Never>]() }
      let ids = state.waiters.filter { $0.value.target <= state.count }.keys
      return ids.compactMap { state.waiters.removeValue(forKey: $0)?.continuation }
    }
    for continuation in due { continuation.resume(returning: true) }
  }

  /// Tells those who still wait that the number will not grow any more.
  func end() {
    let left = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.continuation)
    }
    for continuation in left { continuation.resume(returning: false) }
  }

  /// Waits until the number is `target`; false when it ended or the task was cancelled before.
  func reach(_ target: Int) async -> Bool {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Bool? = state.withLock { state in
          if state.count >= target { return true }
          if state.hasEnded || Task.isCancelled { return false }
          state.waiters[id] = (target, continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.continuation.resume(returning: false)
    }
  }
}
