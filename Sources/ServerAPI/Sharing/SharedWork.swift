internal import Support

/// Work that one or more callers, its members, wait for independently.
///
/// A member that is cancelled, superseded or timed out resumes at once, whatever the work does; the work
/// continues for the others. When the last member has left, the task is cancelled.
final class SharedWork<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, RequestError>

  /// Why a parked member resumes.
  enum Wake {
    case outcome(Outcome)
    /// A step of the work to run, for a member that lends its thread.
    case step(UnownedJob)
  }

  typealias Parked = (id: Int, continuation: UnsafeContinuation<Wake, Never>)

  struct State {
    var members: SharedWorkMembers
    /// The suspended members, without those that have joined but don't wait yet.
    var parked: [Parked] = []
    /// The members that left before they were parked, and why.
    var departed: [(id: Int, outcome: Outcome)] = []
    var outcome: Outcome?
    var task: Task<Void, Never>?
    /// The member whose thread the work uses, and the steps enqueued before it was parked.
    var lender: Int?
    var steps: [UnownedJob] = []
  }

  /// Guards the members, the parked ones and the outcome; continuations resume outside of the lock.
  let state: Lock<State>

  /// `endsWithLast` cancels the work when no member is left.
  init(endsWithLast: Bool = true) {
    state = Lock(State(members: SharedWorkMembers(endsWithLast: endsWithLast)))
  }

  /// Adds a member and returns its id; `nil` if the work has ended.
  func join(_ priority: HTTPRequest.Priority = .normal) -> Int? {
    state.withLock { $0.members.join(priority) }
  }

  /// Runs the work in its own task, on the caller's thread until it first suspends. Does nothing if all members
  /// have left. `lender` is the member that will lend its thread.
  func start(lender: Int? = nil, _ operation: @escaping @Sendable () async -> Outcome) {
    let isWanted = state.withLock { state in
      state.lender = lender
      return !state.members.isAbandoned
    }
    guard isWanted else { return }
    let task = task(lender == nil ? nil : self, operation)
    let isAbandoned = state.withLock { state in
      if state.outcome == nil { state.task = task }
      return state.members.isAbandoned
    }
    if isAbandoned { task.cancel() }
  }

  /// Starts a task, whose first step runs on the caller's thread. On older systems of Apple it is run by the executor.
  @inline(__always)
  private func task(
    _ executor: SharedWork?, _ operation: @escaping @Sendable () async -> Outcome
  ) -> Task<Void, Never> {
    #if !OLD_SYSTEM
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return Task.immediate(executorPreference: executor) { self.finish(await operation()) }
      }
    #endif
    return Task(executorPreference: executor) { self.finish(await operation()) }
  }

  /// Ends the work and passes the outcome to all remaining members.
  func finish(_ outcome: Outcome) {
    let parked = state.withLock { state -> [Parked] in
      state.task = nil
      guard state.members.finish() else { return [] }
      state.outcome = outcome
      defer { state.parked = [] }
      return state.parked
    }
    HandOver.willResume(self)
    for member in parked { member.continuation.resume(returning: .outcome(outcome)) }
  }

  /// Removes a member, which resumes at once with `kind`.
  func end(_ id: Int, _ kind: RequestError.Kind) {
    let outcome = Outcome.failure(RequestError(kind))
    let (parked, task, steps) = state.withLock {
      state -> (Parked?, Task<Void, Never>?, [UnownedJob]) in
      let departure = state.members.remove(id)
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
    HandOver.willResume(self)
    parked?.continuation.resume(returning: .outcome(outcome))
  }

  /// Waits as a member until the work has ended, the task of the caller is cancelled, the deadline has passed,
  /// or ``end(_:_:)`` is called.
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
    defer { HandOver.didResume(self) }
    return await withUnsafeContinuation { continuation in
      let wake = state.withLock { state in
        let wake = state.wake(id)
        if wake == nil { state.parked.append((id, continuation)) }
        return wake
      }
      if let wake { continuation.resume(returning: wake) }
    }
  }

  /// Sets the priority of a member.
  func setPriority(_ priority: HTTPRequest.Priority, of id: Int) {
    state.withLock { $0.members.setPriority(priority, of: id) }
  }

  /// The highest priority of the members.
  var priority: HTTPRequest.Priority? { state.withLock { $0.members.priority } }
}

/// Shared work can run on the thread of a member that waits for it.
///
/// A read that others may join runs in its own task, since the caller that started it may leave while others
/// stay. In the pool, each step of that task would wake one thread, which wakes that of the caller a few
/// microseconds later. With a lender, a response wakes one thread, as it does without sharing. When the lender
/// leaves, the work continues in the pool.
extension SharedWork: TaskExecutor {
  /// Where a step runs.
  private enum Place {
    /// On the thread of the lender, which waits.
    case lender(UnsafeContinuation<Wake, Never>)
    /// On the thread of the lender, when it waits again.
    case kept
    case pool
  }

  // The runtime calls it without knowing the type, which would be looked up ten times for each step.
  @_specialize(where Value == HTTPResponse)
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
      HandOver.willResume(self)
      continuation.resume(returning: .step(step))
    case .kept: break
    case .pool: Self.runInPool([step])
    }
  }

  /// Runs a step on the current thread.
  func run(_ step: UnownedJob) { step.runSynchronously(on: asUnownedTaskExecutor()) }

  static func runInPool(_ steps: [UnownedJob]) {
    for step in steps { globalConcurrentExecutor.enqueue(ExecutorJob(step)) }
  }
}

extension SharedWork.State {
  /// Returns why a member need not wait, if so.
  mutating func wake(_ id: Int) -> SharedWork.Wake? {
    if let index = departed.firstIndex(where: { $0.id == id }) {
      return .outcome(departed.remove(at: index).outcome)
    }
    if id == lender, !steps.isEmpty { return .step(steps.removeFirst()) }
    return outcome.map { .outcome($0) }
  }

  /// Stops lending the thread of a member, and returns the steps that were enqueued for it.
  mutating func stopLending(_ id: Int) -> [UnownedJob] {
    guard id == lender else { return [] }
    lender = nil
    defer { steps = [] }
    return steps
  }
}

/// The members of shared work, and what happens when one of them leaves.
struct SharedWorkMembers: Sendable {
  /// The consequence of removing a member.
  enum Departure: Hashable {
    /// It was not a member, or the work had already ended.
    case late
    /// Other members remain.
    case othersStay
    /// No member remains, so the work must be cancelled.
    case abandoned
  }

  private enum Phase { case running, done, abandoned }

  private var members: [(id: Int, priority: HTTPRequest.Priority)] = []
  private var lastID = 0
  private var phase = Phase.running
  private let endsWithLast: Bool

  init(endsWithLast: Bool) { self.endsWithLast = endsWithLast }

  /// Adds a member and returns its id; `nil` if the work has ended.
  mutating func join(_ priority: HTTPRequest.Priority) -> Int? {
    guard phase == .running else { return nil }
    lastID += 1
    members.append((lastID, priority))
    return lastID
  }

  /// Removes a member.
  mutating func remove(_ id: Int) -> Departure {
    guard phase == .running, let index = members.firstIndex(where: { $0.id == id }) else {
      return .late
    }
    members.remove(at: index)
    guard members.isEmpty, endsWithLast else { return .othersStay }
    phase = .abandoned
    return .abandoned
  }

  /// Marks the work as finished; returns `false` if it had already ended.
  mutating func finish() -> Bool {
    guard phase == .running else { return false }
    phase = .done
    return true
  }

  /// Sets the priority of a member.
  mutating func setPriority(_ priority: HTTPRequest.Priority, of id: Int) {
    if let index = members.firstIndex(where: { $0.id == id }) { members[index].priority = priority }
  }

  /// Whether all members left before the work had finished.
  var isAbandoned: Bool { phase == .abandoned }

  /// The highest priority of the members.
  var priority: HTTPRequest.Priority? { members.lazy.map(\.priority).max() }
}
