internal import CCurl
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The thread of a transport.
///
/// It starts with the first request and ends when its transport is released, or after
/// ``CurlTransport/Configuration/idleLifetime`` without work, when all connections would be closed anyway.
/// Between requests it waits on a condition: an idle client never wakes up.
final class CurlLoop: Sendable {
  let configuration: CurlTransport.Configuration
  private let certificate: LoadedCertificate?
  let queue = CurlCommandQueue()
  private let isStopped = Atomic(false)

  init(_ configuration: CurlTransport.Configuration, _ certificate: LoadedCertificate? = nil) {
    self.configuration = configuration
    self.certificate = certificate
  }

  /// Whether the loop belongs to the parent of this process.
  var isForked: Bool { queue.isForked }

  /// Whether a thread is running.
  var hasThread: Bool { queue.hasThread }

  /// Ends the thread, as the transport was released.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    send(.stop)
  }

  /// Passes a command to the thread, and starts one if there is none.
  func send(_ command: CurlCommand) {
    guard queue.push(command) else { return }
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = ccurl_start_thread(
      { context in
        if let context { Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run() }
      }, context)
    if code != 0 {
      Unmanaged<CurlLoop>.fromOpaque(context).release()
      refuse(queue.end(), "can't start a thread: error \(code)")
    }
  }

  private func run() {
    if let failure = CurlLibrary.shared.failure { return refuse(queue.end(), failure) }
    guard let engine = CurlEngine(configuration, certificate) else {
      return refuse(queue.end(), "libcurl can't create a multi handle")
    }
    var commands: [CurlCommand] = []
    while true {
      queue.swap(&commands)
      for (index, command) in commands.enumerated() {
        switch command {
        case .start(let transfer): engine.start(transfer)
        case .cancel(let transfer): engine.cancel(transfer)
        case .resume(let transfer): engine.resume(transfer)
        case .prioritize(let transfer, let priority): engine.setPriority(transfer, priority)
        case .run(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .stop:
          engine.endAll(.unusable("the transport was released"))
          return refuse(commands[(index + 1)...] + queue.end(), "the transport was released")
        }
      }
      commands.removeAll(keepingCapacity: true)
      engine.startWaiting()
      if engine.isRunning { engine.perform() }
      let rest = engine.expire()
      if engine.hasRoomForWaiting { continue }
      if engine.isRunning {
        guard queue.beginPoll(engine.multi) else { continue }
        engine.poll(atMost: rest)
        queue.endPoll()
      } else if !engine.hasWork, !queue.wait(atMost: configuration.idleLifetime) {
        return
      }
    }
  }

  private func refuse(_ commands: some Sequence<CurlCommand>, _ reason: String) {
    for command in commands {
      switch command {
      case .start(let transfer): transfer.finish(.failure(RequestError(.unusable(reason))))
      case .run(let job): globalConcurrentExecutor.enqueue(ExecutorJob(job))
      case .cancel, .resume, .prioritize, .stop: break
      }
    }
  }
}

/// The thread also runs the steps of tasks that prefer it. A task that reads one response after the other needs no
/// other thread then, so that no response wakes one. After the end of the transport they run in the pool.
extension CurlLoop: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    if isStopped.load(ordering: .relaxed) || isForked {
      globalConcurrentExecutor.enqueue(job)
    } else {
      send(.run(UnownedJob(job)))
    }
  }
}

/// A command for the loop.
enum CurlCommand {
  case start(CurlTransfer)
  case cancel(CurlTransfer)
  case resume(CurlTransfer)
  case prioritize(CurlTransfer, Priority)
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

/// Passes commands from any thread to the loop. It is the only way to wake the loop.
///
/// `@unchecked Sendable` is safe because every field is read and written with `lock` held. It is a lock of the
/// system rather than a `Lock` because the idle loop waits on a condition with it. It is held only for a few
/// field accesses. Waking up a poll is the only call made under it, so that the multi handle can't be released
/// in between.
final class CurlCommandQueue: @unchecked Sendable {
  private enum LoopState {
    case awake
    case polling(UnsafeMutableRawPointer)
    case waiting
  }

  let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var commands: [CurlCommand] = []
  private var loopState = LoopState.awake
  private var isServed = false
  /// The process whose thread serves the queue; a forked child has the queue, but not the thread.
  private let owner = Atomic<Int32>(0)

  init() {
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(lock)
    lock.deallocate()
    condition.deallocate()
  }

  /// Whether a thread serves the queue.
  var hasThread: Bool { owner.load(ordering: .acquiring) != 0 }

  /// Whether this process is a fork of the one that uses the queue.
  var isForked: Bool {
    let owner = owner.load(ordering: .relaxed)
    return owner != 0 && owner != getpid()
  }

  /// Enqueues a command. Returns whether a thread must be started for it. Does nothing in a fork of the process
  /// that uses the queue: the lock may have been held during the fork, and the descriptor that wakes a poll is
  /// shared.
  func push(_ command: CurlCommand) -> Bool {
    guard !isForked else { return false }
    let (needsThread, isWaiting) = enqueue(command)
    // Outside of the lock, on which the woken thread would block at once.
    if isWaiting { pthread_cond_signal(condition) }
    return needsThread
  }

  private func enqueue(_ command: CurlCommand) -> (needsThread: Bool, isWaiting: Bool) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard isServed else {
      guard command.needsThread else { return (false, false) }
      commands.append(command)
      isServed = true
      owner.store(getpid(), ordering: .relaxed)
      return (true, false)
    }
    commands.append(command)
    // The next command finds the loop awake, so that a burst wakes it only once.
    defer { loopState = .awake }
    switch loopState {
    case .awake: return (false, false)
    case .polling(let multi):
      curl_multi_wakeup(multi)
      return (false, false)
    case .waiting: return (false, true)
    }
  }

  /// Exchanges the enqueued commands for an empty array, to reuse its capacity.
  func swap(_ batch: inout [CurlCommand]) {
    pthread_mutex_lock(lock)
    Swift.swap(&commands, &batch)
    pthread_mutex_unlock(lock)
  }

  /// Announces a poll. Returns `false` if there are commands to carry out first.
  func beginPoll(_ multi: UnsafeMutableRawPointer) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard commands.isEmpty else { return false }
    loopState = .polling(multi)
    return true
  }

  func endPoll() {
    pthread_mutex_lock(lock)
    loopState = .awake
    pthread_mutex_unlock(lock)
  }

  /// Waits for a command. Returns `false` on timeout: the thread must then end, and the next command starts a
  /// new one.
  func wait(atMost span: Duration) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    let end = MonotonicClock.now().advanced(by: span)
    var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    while commands.isEmpty {
      loopState = .waiting
      #if canImport(Darwin)
        var left = timespec(tv_sec: span.milliseconds / 1_000, tv_nsec: 0)
        let code = pthread_cond_timedwait_relative_np(condition, lock, &left)
      #else
        let code = pthread_cond_timedwait(condition, lock, &time)
      #endif
      if code != 0, commands.isEmpty {
        retire()
        return false
      }
    }
    loopState = .awake
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
