#if LIBCURL
  internal import CCurl
  internal import Support
  internal import Synchronization

  /// The thread of a transport.
  ///
  /// It starts with the first request and ends when its transport is released, or after
  /// ``CurlTransport/Configuration/idleLifetime`` without work, when all connections would be closed anyway.
  /// Between requests it waits for its end: an idle client never wakes up.
  final class CurlLoop: Sendable {
    let configuration: CurlTransport.Configuration
    private let certificate: LoadedCertificate?
    let queue = CurlCommandQueue()
    private let isStopped = Atomic(false)
    /// Whether callers send their requests themselves. With `QUIRE_LENT_ENGINE=off` in the environment, the thread sends
    /// them all, as it does while it is busy. The results are the same.
    private static let lendsEngine = getenv("QUIRE_LENT_ENGINE").map { String(cString: $0) } != "off"

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
      if case .startThread = queue.push(command) { startThread() }
    }

    /// Starts a transfer. While the thread waits for an event, the caller sends the request itself, so that it wakes no
    /// thread. A body in a file is left to the thread, since reading may take long.
    func start(_ transfer: CurlTransfer) {
      let canUseEngine = Self.lendsEngine && transfer.request.body?.readsFiles != true
      switch queue.push(.start(transfer), canUseEngine: canUseEngine) {
      case .none: break
      case .startThread: startThread()
      case .use(let engine):
        let signals = ccurl_hold_signals()
        engine.start(transfer)
        let isDone = engine.work()
        ccurl_release_signals(signals)
        queue.giveBack(engine, isDone: isDone)
      }
    }

    private func startThread() {
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
        return refuse(queue.end(), "there is no memory or no descriptor for another transport")
      }
      defer { engine.close() }
      var commands: [CurlCommand] = []
      while true {
        queue.swap(&commands)
        let isInOrder = commands.startInOrder
        for (index, command) in commands.enumerated() {
          switch command {
          case .start(let transfer): engine.start(transfer, atOnce: isInOrder)
          case .cancel(let transfer): engine.cancel(transfer)
          case .resume(let transfer): engine.resume(transfer)
          case .prioritize(let transfer): engine.updatePriority(of: transfer)
          case .run(let job): job.runSynchronously(on: asUnownedTaskExecutor())
          case .stop:
            engine.endAll(.unusable("the transport was released"))
            return refuse(commands[(index + 1)...] + queue.end(), "the transport was released")
          }
        }
        commands.removeAll(keepingCapacity: true)
        let isDone = engine.work()
        if !engine.hasWork, MonotonicClock.now() >= engine.idleEnd {
          if queue.endIfIdle() { return }
          continue
        }
        // Without a wait too: a response may have arrived, and its connection is free for the next request then.
        let waits = isDone && queue.lend(engine)
        let canTell = engine.watch.withEvents(waits: waits) { events in
          if waits { queue.takeBack() }
          engine.act(on: events)
        }
        guard canTell else {
          let reason = "the system can't wait for sockets"
          engine.endAll(.unusable(reason))
          return refuse(queue.end(), reason)
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

  extension [CurlCommand] {
    /// Whether all requests have one priority, so that none overtakes another.
    fileprivate var startInOrder: Bool {
      var first: HTTPRequest.Priority?
      for case .start(let transfer) in self {
        let priority = transfer.priority
        if let first, first != priority { return false }
        first = priority
      }
      return true
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
#endif
