internal import Support

/// A shared work can run on the thread of the member that waits for it.
///
/// A read that others may join runs in a task of its own, since the caller who began it may leave
/// while others stay. In the pool each step of that task would wake one thread, only to wake that
/// of the caller a few microseconds later. With a lender an answer wakes one thread, as it does
/// without sharing. When the lender leaves, the work goes on in the pool.
extension SharedWork: TaskExecutor {
  /// What becomes of a step.
  private enum Place {
    /// The lender waits and takes it.
    case lender(UnsafeContinuation<Wake, Never>)
    /// The lender is busy and will find it.
    case kept
    case pool
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let step = UnownedJob(job)
    let place = state.withLock { state -> Place in
      guard let lender = state.lender else { return .pool }
      if let index = state.parked.firstIndex(where: { $0.id == lender }) {
        return .lender(state.parked.remove(at: index).continuation)
      }
      state.steps.append(step)
      return .kept
    }
    switch place {
    case .lender(let continuation):
      HandOver.begins(self)
      continuation.resume(returning: .step(step))
    case .kept: break
    case .pool: Self.runInPool([step])
    }
  }

  /// Runs a step here and now.
  func run(_ step: UnownedJob) { step.runSynchronously(on: asUnownedTaskExecutor()) }

  static func runInPool(_ steps: [UnownedJob]) {
    for step in steps { globalConcurrentExecutor.enqueue(ExecutorJob(step)) }
  }
}

extension SharedWork.State {
  /// What a member finds that comes to wait, if there is anything.
  mutating func wake(_ id: Int) -> SharedWork.Wake? {
    if let index = departed.firstIndex(where: { $0.id == id }) {
      return .outcome(departed.remove(at: index).outcome)
    }
    if id == lender, !steps.isEmpty { return .step(steps.removeFirst()) }
    return outcome.map { .outcome($0) }
  }

  /// A member leaves. Returns the steps that were meant for its thread.
  mutating func stopLending(_ id: Int) -> [UnownedJob] {
    guard id == lender else { return [] }
    lender = nil
    defer { steps = [] }
    return steps
  }
}
