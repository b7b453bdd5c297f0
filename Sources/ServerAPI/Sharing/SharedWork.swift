internal import Support

/// A piece of work that one or more callers wait for, each for itself.
///
/// A member that is cancelled, superseded or out of time resumes at once, whatever the work does;
/// the work goes on for the others. When the last one has left, its task is cancelled.
final class SharedWork<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, RequestError>

  /// What a parked member wakes up to.
  enum Wake {
    case outcome(Outcome)
    /// A step of the work, for a member that lends its thread.
    case step(UnownedJob)
  }

  typealias Parked = (id: Int, continuation: UnsafeContinuation<Wake, Never>)

  struct State {
    var members: SharedWorkMembers
    /// Members that are parked. One that joined and does not wait yet is not among them.
    var parked: [Parked] = []
    /// Members that left before they were parked, and why.
    var departed: [(id: Int, outcome: Outcome)] = []
    var outcome: Outcome?
    var task: Task<Void, Never>?
    /// The member whose thread the work uses, and steps that came before it was parked.
    var lender: Int?
    var steps: [UnownedJob] = []
  }

  /// Guards membership, who is parked and the outcome; continuations resume outside of it.
  let state: Lock<State>

  /// `endsWithLast` cancels the work when nobody waits any more.
  init(endsWithLast: Bool = true) {
    state = Lock(State(members: SharedWorkMembers(endsWithLast: endsWithLast)))
  }

  /// Adds a caller; `nil` where the work is over.
  func join(_ priority: Priority = .normal) -> Int? {
    state.withLock { $0.members.join(priority) }
  }

  /// Runs the work in a task of its own, on the caller's thread until it first waits; not at all
  /// where everybody has left already. `lender` is a member that will lend its thread.
  func start(lender: Int? = nil, _ operation: @escaping @Sendable () async -> Outcome) {
    let isWanted = state.withLock { state in
      state.lender = lender
      return !state.members.isAbandoned
    }
    guard isWanted else { return }
    let task = Task.immediate(executorPreference: lender == nil ? nil : self) {
      self.finish(await operation())
    }
    let isAbandoned = state.withLock { state in
      if state.outcome == nil { state.task = task }
      return state.members.isAbandoned
    }
    if isAbandoned { task.cancel() }
  }

  /// Ends the work; everybody who still waits gets the outcome.
  func finish(_ outcome: Outcome) {
    let parked = state.withLock { state -> [Parked] in
      state.task = nil
      guard state.members.finish() else { return [] }
      state.outcome = outcome
      defer { state.parked = [] }
      return state.parked
    }
    HandOver.begins(self)
    for member in parked { member.continuation.resume(returning: .outcome(outcome)) }
  }

  /// Takes one member out, which resumes at once with `kind`.
  func end(_ id: Int, _ kind: RequestError.Kind) {
    let outcome = Outcome.failure(RequestError(kind))
    let (parked, task, steps) = state.withLock {
      state -> (Parked?, Task<Void, Never>?, [UnownedJob]) in
      let departure = state.members.leave(id)
      guard departure != .late else { return (nil, nil, []) }
      let task = departure == .abandoned ? state.task : nil
      let steps = state.stopLending(id)
      guard let index = state.parked.firstIndex(where: { $0.id == id }) else {
        state.departed.append((id, outcome))
        return (nil, task, steps)
      }
      return (state.parked.remove(at: index), task, steps)
    }
    task?.cancel()
    Self.runInPool(steps)
    HandOver.begins(self)
    parked?.continuation.resume(returning: .outcome(outcome))
  }

  /// Waits as a member until the work is done, the task of the caller is cancelled, the deadline
  /// has passed, or ``end(_:_:)`` is called.
  func wait(_ id: Int, until deadline: Deadline? = nil) async throws(RequestError) -> Value {
    let timer = deadline.map { deadline in
      Task {
        try? await deadline.sleep()
        if !Task.isCancelled { self.end(id, .timeout(.total)) }
      }
    }
    defer { timer?.cancel() }
    let outcome = await withTaskCancellationHandler {
      while true {
        switch await park(id) {
        case .outcome(let outcome): return outcome
        case .step(let step): run(step)
        }
      }
    } onCancel: {
      end(id, .cancelled(.byCaller))
    }
    return try outcome.get()
  }

  private func park(_ id: Int) async -> Wake {
    defer { HandOver.ended(self) }
    return await withUnsafeContinuation { continuation in
      let wake = state.withLock { state in
        let wake = state.wake(id)
        if wake == nil { state.parked.append((id, continuation)) }
        return wake
      }
      if let wake { continuation.resume(returning: wake) }
    }
  }

  /// Changes how urgent a member is, and returns how urgent the work is now.
  func setPriority(_ priority: Priority, of id: Int) -> Priority? {
    state.withLock { state in
      state.members.setPriority(priority, of: id)
      return state.members.priority
    }
  }

  /// How urgent the most urgent member is.
  var priority: Priority? { state.withLock { $0.members.priority } }
}

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
