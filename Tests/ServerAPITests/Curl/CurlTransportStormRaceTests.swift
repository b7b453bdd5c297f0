#if LIBCURL
  import CStalledResolver
  import Foundation
  import QuireTesting
  import Support
  import Testing

  @testable import ServerAPI

  /// Cancels in every phase concurrently, from many tasks, and checks that nothing is left.
  ///
  /// `QUIRE_CANCELS` is the number of cancels; a long run is for the sanitizers.
  @Suite(.timeLimit(.minutes(20)), .serialized) struct CurlTransportStormRaceTests {
    static let count =
      ProcessInfo.processInfo.environment["QUIRE_CANCELS"].flatMap { Int($0) }
      ?? Thoroughness.runs(3_000)

    @Test func `random cancels at random times of every kind of call leave nothing behind`()
      async throws
    {
      let gate = try LoopbackGate()
      let server = try LoopbackServer { request in
        switch request.path {
        case "/page": .filler(count: 33_000)
        case "/chunks": .filler(count: 5_000).chunked(of: 500)
        case "/packed": .text(String(repeating: "quire ", count: 3_000)).gzipped()
        case "/large": .filler(count: 3 << 20)
        case "/held": .filler(count: 2_000).held(by: gate, at: .headSent)
        default: .text("x")
        }
      }
      let silent = try LoopbackDeadEnd.silent()
      let storm = Storm(url: try server.url(), silentURL: try WebURL(silent.baseURL))
      // Few connections, so that many calls wait, and threads that end and start.
      var transports: [CurlTransport] = [
        CurlTransport { $0.connectionsPerHost = 3 },
        CurlTransport {
          $0.idleLifetime = .zero
          $0.exchanges = 5
        },
      ]
      let workers = 48
      let share = Self.count / workers
      let seeds = try SeededGenerator.runs(workers)
      let outcomes = await withTaskGroup(of: StormOutcomes.self) { [transports] group in
        for (worker, random) in seeds.enumerated() {
          group.addTask {
            await storm.run(share, random, transports[worker % transports.count])
          }
        }
        return await group.reduce(into: StormOutcomes()) { $0.add($1) }
      }
      #expect(outcomes.others.isEmpty, "\(outcomes.others.prefix(3))")
      #expect(outcomes.total == share * workers)
      if Thoroughness.current != .brief {
        for kind in ["succeeded", "cancelled", "timeout"] { #expect(outcomes.counts[kind] ?? 0 > 0) }
      }
      print("storm:", outcomes.counts.sorted { $0.key < $1.key }.map { "\($0) \($1)" })
      // The transports still work.
      for transport in transports {
        #expect(try await transport.send(HTTPRequest(.get, server.url())).body.utf8Text == "x")
      }
      // No call is retained, and after their release nothing of the transports.
      let loops = transports.map { WeakLoop(loop: $0.loop) }
      transports = []
      for number in 0..<server.acceptedConnections { try await server.connectionClosed(number) }
      await blocking { while loops.contains(where: { $0.loop != nil }) { sched_yield() } }
      #expect(storm.tokens.alive == 0)
    }

    @Test func `a first burst to an unknown name starts at most two lookups`() async throws {
      let transport = CurlTransport()
      let before = stalled_resolver_count()
      let request = HTTPRequest(.get, try WebURL("http://burst.stalled.test/"))
      let tasks = (0..<200).map { _ in Task.immediate { await transport.failure(request) } }
      await blocking { stalled_resolver_wait_for(before + 1) }
      // When a later call has ended, the loop has started all of them.
      let server = try LoopbackServer { _ in .text("x") }
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      #expect(stalled_resolver_count() <= before + 2)
      for task in tasks { task.cancel() }
      for task in tasks { #expect(await task.value == .cancelled(.byCaller)) }
      stalled_resolver_release()
    }
  }

  private struct WeakLoop: Sendable {
    weak let loop: CurlLoop?
  }

  /// Counts the live closures of calls.
  private final class Tokens: Sendable {
    private let count = Lock(0)
    var alive: Int { count.withLock { $0 } }
    func token() -> Token { Token(self) }

    final class Token: Sendable {
      private let all: Tokens
      init(_ all: Tokens) {
        self.all = all
        all.count.withLock { $0 += 1 }
      }
      deinit { all.count.withLock { $0 -= 1 } }
      func touch() {}
    }
  }

  private struct Storm: Sendable {
    let url: WebURL
    let silentURL: WebURL
    let tokens = Tokens()

    func run(
      _ count: Int, _ random: SeededGenerator, _ transport: CurlTransport
    ) async -> StormOutcomes {
      var random = random
      var outcomes = StormOutcomes()
      for _ in 0..<count {
        let request = self.request(&random)
        let cancels = random.next() % 4 != 0 || request.url.path == "/held"
        let turns = random.next() % 40
        let priority = HTTPRequest.Priority.allCases[Int(random.next() % 3)]
        let task = Task { try await transport.send(request) }
        for turn in 0..<turns {
          await Task.yield()
          if turn == turns / 2 { request.priorityHandle?.set(priority) }
        }
        if cancels { task.cancel() }
        outcomes.count(await task.result)
      }
      return outcomes
    }

    private func request(_ random: inout SeededGenerator) -> HTTPRequest {
      let paths = ["/page", "/chunks", "/packed", "/small", "/held", "/large"]
      let path = paths[Int(random.next() % 12) % paths.count]
      var request = HTTPRequest(
        .get, address(path), limits: .unlimitedBody,
        priority: HTTPRequest.Priority.allCases[Int(random.next() % 3)])
      let token = tokens.token()
      // Every call retains a token through its progress handler.
      if random.next() % 2 == 0 { request.progress = { _ in token.touch() } }
      if random.next() % 2 == 0 {
        request.priorityHandle = HTTPRequest.Priority.Handle(request.priority)
      }
      switch random.next() % 8 {
      case 0: request.receiver = { _ in token.touch() }
      case 1:
        request.receiver = { _ in
          token.touch()
          await Task.yield()
        }
      case 2 where path != "/held":
        request.method = .post
        request.body = .bytes([UInt8](repeating: 7, count: Int(random.next() % 300_000)))
      case 3: request.timeouts.total = .microseconds(Int(random.next() % 4_000))
      case 4: request.timeouts.idle = .microseconds(Int(random.next() % 4_000))
      case 5 where random.next() % 4 == 0:
        request.url = silentURL
        request.timeouts.connect = .milliseconds(Int(random.next() % 8) + 1)
      case 6 where random.next() % 4 == 0: request.wantsFreshConnection = true
      default: break
      }
      return request
    }

    private func address(_ path: String) -> WebURL { (try? url.resolving(path)) ?? url }
  }

  private struct StormOutcomes: Sendable {
    var counts: [String: Int] = [:]
    var others: [String] = []
    var total: Int { counts.values.reduce(0, +) }

    mutating func count(_ result: Result<HTTPResponse, any Error>) {
      switch result {
      case .success: counts["succeeded", default: 0] += 1
      case .failure(let error as RequestError):
        switch error.kind {
        case .cancelled(.byCaller): counts["cancelled", default: 0] += 1
        case .timeout: counts["timeout", default: 0] += 1
        default:
          counts["other", default: 0] += 1
          others.append("\(error)")
        }
      case .failure(let error): others.append("\(error)")
      }
    }

    mutating func add(_ other: StormOutcomes) {
      counts.merge(other.counts, uniquingKeysWith: +)
      others += other.others
    }
  }
#endif
