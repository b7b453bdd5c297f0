internal import Synchronization

/// A piece of work that one or more callers wait for, each for itself.
///
/// A member that is cancelled, superseded or out of time resumes at once, whatever the work does;
/// the work goes on for the others. When the last one has left, its task is cancelled.
final class SharedWork<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, RequestError>

  private typealias Parked = (id: Int, continuation: UnsafeContinuation<Outcome, Never>)

  private struct State {
    var members: SharedWorkMembers
    /// Members that are parked. One that joined and does not wait yet is not among them.
    var parked: [Parked] = []
    /// Members that left before they were parked, and why.
    var departed: [(id: Int, outcome: Outcome)] = []
    var outcome: Outcome?
    var task: Task<Void, Never>?
  }

  /// Guards membership, who is parked and the outcome; continuations resume outside of it.
  private let state: Mutex<State>

  /// `endsWithLast` cancels the work when nobody waits any more.
  init(endsWithLast: Bool = true) {
    state = Mutex(State(members: SharedWorkMembers(endsWithLast: endsWithLast)))
  }

  /// Adds a caller; `nil` where the work is over.
  func join(_ priority: Priority = .normal) -> Int? {
    state.withLock { $0.members.join(priority) }
  }

  /// Runs the work in a task of its own, on the caller's thread until it first waits; not at all
  /// where everybody has left already. `executor` says where it goes on after each wait.
  func start(
    on executor: (any TaskExecutor)? = nil, _ operation: @escaping @Sendable () async -> Outcome
  ) {
    guard !state.withLock({ $0.members.isAbandoned }) else { return }
    let task = Task.immediate(executorPreference: executor) { self.finish(await operation()) }
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
    for member in parked { member.continuation.resume(returning: outcome) }
  }

  /// Takes one member out, which resumes at once with `kind`.
  func end(_ id: Int, _ kind: RequestError.Kind) {
    let outcome = Outcome.failure(RequestError(kind))
    let (parked, task) = state.withLock { state -> (Parked?, Task<Void, Never>?) in
      let departure = state.members.leave(id)
      guard departure != .late else { return (nil, nil) }
      let task = departure == .abandoned ? state.task : nil
      guard let index = state.parked.firstIndex(where: { $0.id == id }) else {
        state.departed.append((id, outcome))
        return (nil, task)
      }
      return (state.parked.remove(at: index), task)
    }
    task?.cancel()
    parked?.continuation.resume(returning: outcome)
  }

  /// Waits as a member until the work is done, the task of the caller is cancelled, the deadline
  /// has passed, or ``end(_:_:)`` is called.
  func wait(_ id: Int, until deadline: Deadline? = nil) async throws(RequestError) -> Value {
    if let outcome = state.withLock({ Self.known(id, &$0) }) { return try outcome.get() }
    let timer = deadline.map { deadline in
      Task {
        try? await deadline.sleep()
        if !Task.isCancelled { self.end(id, .timeout(.total)) }
      }
    }
    defer { timer?.cancel() }
    let outcome = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let outcome = state.withLock { state in
          let outcome = Self.known(id, &state)
          if outcome == nil { state.parked.append((id, continuation)) }
          return outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      end(id, .cancelled(.byCaller))
    }
    return try outcome.get()
  }

  private static func known(_ id: Int, _ state: inout State) -> Outcome? {
    if let index = state.departed.firstIndex(where: { $0.id == id }) {
      return state.departed.remove(at: index).outcome
    }
    return state.outcome
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
