internal import CCurl
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What tasks want of the loop.
enum CurlCommand {
  case start(CurlTransfer)
  case cancel(CurlTransfer)
  case resume(CurlTransfer)
  case prioritize(CurlTransfer, Priority)
  case stop
}

/// Commands on their way from any thread to the loop, and the only way to wake it.
///
/// `@unchecked Sendable` holds because every field is read and written with `lock` held. It is a
/// lock of the system rather than a `Lock` since the idle loop waits on a condition with it. It is
/// held for a few field accesses only; waking up a poll is the one call made under it, so that the
/// multi handle can't go away in between.
final class CurlCommandQueue: @unchecked Sendable {
  private enum Rest {
    case awake
    case polling(UnsafeMutableRawPointer)
    case waiting
  }

  let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var commands: [CurlCommand] = []
  private var rest = Rest.awake
  private var isServed = false
  /// The process whose thread serves the queue; a forked child has the queue but not the thread.
  private let owner = Atomic<Int32>(0)

  init() {
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(bell, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(bell)
    pthread_mutex_destroy(lock)
    lock.deallocate()
    bell.deallocate()
  }

  /// Whether a thread serves the queue now.
  var hasThread: Bool { owner.load(ordering: .acquiring) != 0 }

  /// Whether this process is a fork of the one that uses the queue.
  var isForked: Bool {
    let owner = owner.load(ordering: .relaxed)
    return owner != 0 && owner != getpid()
  }

  /// Adds a command. In a fork of the process that uses the queue nothing happens: the lock may have been
  /// held when the process was copied, and the descriptor that wakes a poll is shared. Returns whether a thread has to be started to carry it out: only for a start,
  /// since without a thread there is nothing that the others could be about.
  func push(_ command: CurlCommand) -> Bool {
    guard !isForked else { return false }
    let (needsThread, isWaiting) = enqueue(command)
    // Not under the lock, which the woken thread would run into at once.
    if isWaiting { pthread_cond_signal(bell) }
    return needsThread
  }

  private func enqueue(_ command: CurlCommand) -> (needsThread: Bool, isWaiting: Bool) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard isServed else {
      guard case .start = command else { return (false, false) }
      commands.append(command)
      isServed = true
      owner.store(getpid(), ordering: .relaxed)
      return (true, false)
    }
    commands.append(command)
    // Whoever comes next finds it awake, so a burst wakes it once.
    defer { rest = .awake }
    switch rest {
    case .awake: return (false, false)
    case .polling(let multi):
      curl_multi_wakeup(multi)
      return (false, false)
    case .waiting: return (false, true)
    }
  }

  /// Takes all commands, leaving the room of `taken` for the next ones.
  func swap(_ taken: inout [CurlCommand]) {
    pthread_mutex_lock(lock)
    Swift.swap(&commands, &taken)
    pthread_mutex_unlock(lock)
  }

  /// Announces a poll. Returns whether to go ahead: not when commands came in meanwhile.
  func beginPoll(_ multi: UnsafeMutableRawPointer) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard commands.isEmpty else { return false }
    rest = .polling(multi)
    return true
  }

  func endPoll() {
    pthread_mutex_lock(lock)
    rest = .awake
    pthread_mutex_unlock(lock)
  }

  /// Waits for a command. Returns `false` when none came in time: then the thread must end, and the
  /// next command will ask for a new one.
  func wait(atMost span: Duration) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    let end = MonotonicClock.now().advanced(by: span)
    var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    while commands.isEmpty {
      rest = .waiting
      #if canImport(Darwin)
        var left = timespec(tv_sec: span.milliseconds / 1_000, tv_nsec: 0)
        let code = pthread_cond_timedwait_relative_np(bell, lock, &left)
      #else
        let code = pthread_cond_timedwait(bell, lock, &time)
      #endif
      if code != 0, commands.isEmpty {
        retire()
        return false
      }
    }
    rest = .awake
    return true
  }

  /// The thread ends. Returns commands that came too late for it.
  func end() -> [CurlCommand] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    retire()
    defer { commands = [] }
    return commands
  }

  private func retire() {
    rest = .awake
    isServed = false
    owner.store(0, ordering: .relaxed)
  }
}
