#if LIBCURL
  import QuireTesting
  import Testing

  @testable import ServerAPI

  /// Which thread uses the engine of a transport.
  @Suite(.timeLimit(.minutes(1))) struct CurlCommandQueueTests {
    private let queue = CurlCommandQueue()
    private let engine: CurlEngine
    private let transfer: CurlTransfer

    init() throws {
      engine = try #require(CurlEngine(CurlTransport.Configuration(), nil))
      transfer = CurlTransfer(HTTPRequest(.get, try WebURL("http://127.0.0.1")), now: 0)
    }

    private func start(canUseEngine: Bool = true) -> CurlCommandQueue.NextAction {
      queue.push(.start(transfer), canUseEngine: canUseEngine)
    }

    private func commands() -> Int {
      var batch: [CurlCommand] = []
      queue.swap(&batch)
      return batch.count
    }

    /// Ends only if the thread is woken up.
    private func waitForWakeUp() { engine.watch.withEvents(waits: true) { #expect($0.isEmpty) } }

    @Test func `only a thread that waits lends its engine, to one caller at a time`() throws {
      guard case .startThread = start() else { throw Unexpected() }
      guard case .none = start() else { throw Unexpected() }
      #expect(!queue.lend(engine))
      #expect(commands() == 2)
      #expect(queue.lend(engine))
      guard case .use(let lent) = start() else { throw Unexpected() }
      #expect(lent === engine)
      guard case .none = start() else { throw Unexpected() }
      queue.giveBack(engine, isDone: true)
      waitForWakeUp()
      #expect(commands() == 1)
      queue.takeBack()
      #expect(queue.lend(engine))
      guard case .use = start() else { throw Unexpected() }
      queue.giveBack(engine, isDone: true)
      guard case .use = start() else { throw Unexpected() }
      queue.giveBack(engine, isDone: false)
      waitForWakeUp()
      // The thread is awake and has the engine, so the next command is only enqueued.
      guard case .none = start() else { throw Unexpected() }
      #expect(commands() == 1)
    }

    @Test func `a command that a caller can't carry out wakes the thread`() throws {
      _ = start()
      _ = commands()
      #expect(queue.lend(engine))
      guard case .none = start(canUseEngine: false) else { throw Unexpected() }
      guard case .none = queue.push(.cancel(transfer)) else { throw Unexpected() }
      waitForWakeUp()
      #expect(commands() == 2)
    }

    @Test func `only a body with a part in a file reads files`() {
      let file = RequestBody.Piece.file(path: "/tmp/x", length: 1)
      #expect(!RequestBody.text("x").readsFiles)
      #expect(RequestBody(pieces: [.bytes([1]), file], contentType: nil).readsFiles)
    }

    @Test func `the thread waits until its engine is given back`() async throws {
      _ = start()
      _ = commands()
      #expect(queue.lend(engine))
      guard case .use = start() else { throw Unexpected() }
      let taken = Counter()
      async let end: Void = blocking { [queue] in
        queue.takeBack()
        taken.add()
      }
      while !queue.awaitsEngine, taken.value == 0 { await Task.yield() }
      #expect(taken.value == 0)
      queue.giveBack(engine, isDone: true)
      await end
      #expect(!queue.awaitsEngine)
      guard case .none = start() else { throw Unexpected() }
    }

    @Test func `a thread ends only without commands`() throws {
      _ = start()
      #expect(!queue.endIfIdle())
      #expect(commands() == 1)
      #expect(queue.endIfIdle())
      #expect(!queue.hasThread)
      guard case .none = queue.push(.cancel(transfer)) else { throw Unexpected() }
      guard case .startThread = start() else { throw Unexpected() }
      #expect(queue.end().count == 1)
    }
  }

  private struct Unexpected: Error {}
#endif
