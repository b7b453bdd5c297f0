#if LIBCURL
  internal import Support
  internal import Synchronization

  /// A command for the loop.
  enum CurlCommand {
    case start(CurlTransfer)
    case cancel(CurlTransfer)
    case resume(CurlTransfer)
    case prioritize(CurlTransfer)
    case run(UnownedJob)
    case stop

    /// Whether it needs a thread if there is none: without one there is nothing to cancel, resume or stop.
    fileprivate var needsThread: Bool {
      switch self {
      case .start, .run: true
      case .cancel, .resume, .prioritize, .stop: false
      }
    }
  }

  /// Passes commands from any thread to the loop, and decides which thread uses the engine.
  ///
  /// While the thread of the loop waits for an event, a caller may borrow the engine. No two threads use it at once.
  ///
  /// `@unchecked Sendable` is safe because every field but the atomic one is read and written with `lock` held. It is a
  /// lock of the system rather than a `Lock` because the loop waits on a condition with it. It is held only for a few
  /// field accesses.
  final class CurlCommandQueue: @unchecked Sendable {
    private enum LoopState {
      /// The thread uses the engine, or was woken up and will use it.
      case awake
      /// The thread waits for an event.
      case waiting(CurlEngine)
      /// A caller uses the engine, while the thread waits for an event or for the engine.
      case lent
    }

    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var commands: [CurlCommand] = []
    private var loopState = LoopState.awake
    private var isServed = false
    /// Whether the thread waits for the engine.
    private var isAwaited = false
    /// The process whose thread serves the queue; a forked child has the queue, but not the thread.
    private let owner = Atomic<Int32>(0)

    init() {
      pthread_mutex_init(lock, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(lock)
      lock.deallocate()
      condition.deallocate()
    }

    /// Whether a thread serves the queue.
    var hasThread: Bool { owner.load(ordering: .acquiring) != 0 }

    /// Whether the thread waits until a caller gives the engine back.
    var awaitsEngine: Bool {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return isAwaited
    }

    /// Whether this process is a fork of the one that uses the queue.
    var isForked: Bool {
      let owner = owner.load(ordering: .relaxed)
      return owner != 0 && owner != getpid()
    }

    /// What the caller must do next.
    enum NextAction {
      /// Nothing, since the loop carries it out.
      case none
      /// Start a thread for the loop.
      case startThread
      /// Start the transfer of the command itself, and give the engine back.
      case use(CurlEngine)
    }

    /// Enqueues a command, or lends the engine to a caller that can use it. Does nothing in a fork of the process that
    /// uses the queue: the lock may have been held during the fork, and the descriptor that wakes the thread is shared.
    func push(_ command: CurlCommand, canUseEngine: Bool = false) -> NextAction {
      guard !isForked else { return .none }
      let (action, watch) = enqueue(command, canUseEngine)
      // Outside of the lock, on which the woken thread would block at once.
      watch?.wake()
      return action
    }

    private func enqueue(_ command: CurlCommand, _ canUseEngine: Bool) -> (NextAction, CurlWatch?) {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      guard isServed else {
        guard command.needsThread else { return (.none, nil) }
        commands.append(command)
        isServed = true
        owner.store(getpid(), ordering: .relaxed)
        return (.startThread, nil)
      }
      guard case .waiting(let engine) = loopState else {
        commands.append(command)
        return (.none, nil)
      }
      if canUseEngine {
        loopState = .lent
        return (.use(engine), nil)
      }
      commands.append(command)
      // The next command finds the loop awake, so that a burst wakes it only once.
      loopState = .awake
      return (.none, engine.watch)
    }

    /// Exchanges the enqueued commands for an empty array, to reuse its capacity.
    func swap(_ batch: inout [CurlCommand]) {
      pthread_mutex_lock(lock)
      Swift.swap(&commands, &batch)
      pthread_mutex_unlock(lock)
    }

    /// Announces that the thread waits for an event. Returns `false` if there are commands to carry out first.
    func lend(_ engine: CurlEngine) -> Bool {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      guard commands.isEmpty else { return false }
      loopState = .waiting(engine)
      return true
    }

    /// Takes the engine back after an event, once no caller uses it.
    func takeBack() {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      while case .lent = loopState {
        isAwaited = true
        pthread_cond_wait(condition, lock)
      }
      isAwaited = false
      loopState = .awake
    }

    /// Gives the engine back to the thread, which is woken up if there is more to do.
    func giveBack(_ engine: CurlEngine, isDone: Bool) {
      pthread_mutex_lock(lock)
      let isAwaited = isAwaited
      let wakes = !isAwaited && (!isDone || !commands.isEmpty)
      loopState = isAwaited || wakes ? .awake : .waiting(engine)
      pthread_mutex_unlock(lock)
      if isAwaited { pthread_cond_signal(condition) }
      if wakes { engine.watch.wake() }
    }

    /// Marks the thread as ended, unless there are commands. The next command starts a new one.
    func endIfIdle() -> Bool {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      guard commands.isEmpty else { return false }
      retire()
      return true
    }

    /// Marks the thread as ended. Returns the commands that arrived too late.
    func end() -> [CurlCommand] {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      retire()
      defer { commands = [] }
      return commands
    }

    private func retire() {
      loopState = .awake
      isServed = false
      owner.store(0, ordering: .relaxed)
    }
  }
#endif
