#if LIBCURL
  import QuireTesting
  import Testing

  @testable import ServerAPI

  @Suite struct DispatcherTests {
    let a = WebURL.Origin(scheme: "https", host: "a", port: 443)
    let b = WebURL.Origin(scheme: "https", host: "b", port: 443)

    func dispatcher(perHost: Int = 4, streams: Int = 100, total: Int = 16) -> Dispatcher {
      Dispatcher(.init(connectionsPerHost: perHost, streamsPerHost: streams, exchanges: total))
    }

    func add(
      _ dispatcher: inout Dispatcher, _ id: Int, to origin: WebURL.Origin,
      _ priority: HTTPRequest.Priority = .normal
    ) -> Bool {
      dispatcher.add(id, origin: origin, priority: priority)
    }

    func remove(_ dispatcher: inout Dispatcher, _ id: Int) -> Bool { dispatcher.remove(id) }

    /// Returns all exchanges that may start now, in order.
    func drain(_ dispatcher: inout Dispatcher) -> [Int] {
      var started: [Int] = []
      while let id = dispatcher.next() { started.append(id) }
      return started
    }

    @Test func `a new origin starts with two exchanges until one of them is connected`() {
      var dispatcher = dispatcher()
      let atOnce = (1...6).filter { dispatcher.add($0, origin: a, priority: .normal) }
      #expect(atOnce == [1, 2])
      #expect(drain(&dispatcher) == [])
      dispatcher.connected(a, multiplexed: false)
      #expect(drain(&dispatcher) == [3, 4])
    }

    @Test func `an origin with HTTP 2 accepts as many exchanges as streams`() {
      var dispatcher = dispatcher(streams: 5)
      for id in 1...9 { _ = dispatcher.add(id, origin: a, priority: .normal) }
      dispatcher.connected(a, multiplexed: true)
      #expect(drain(&dispatcher) == [3, 4, 5])
      dispatcher.connected(a, multiplexed: false)
      dispatcher.finished(a, connected: true)
      #expect(drain(&dispatcher) == [6])
    }

    @Test func `visible exchanges start first and equal ones in order of arrival`() {
      var dispatcher = dispatcher(perHost: 1)
      #expect(add(&dispatcher, 1, to: a))
      for (id, priority) in [
        (2, HTTPRequest.Priority.prefetch), (3, .normal), (4, .visible), (5, .normal), (6, .visible),
      ] {
        #expect(!add(&dispatcher, id, to: a, priority))
      }
      var order: [Int] = []
      for _ in 2...6 {
        dispatcher.finished(a, connected: true)
        order += drain(&dispatcher)
      }
      #expect(order == [4, 6, 3, 5, 2])
    }

    @Test func `exchanges that arrive together start by priority`() {
      var dispatcher = dispatcher()
      let first = dispatcher.add(1, origin: a, priority: .normal, mayStart: false)
      let second = dispatcher.add(2, origin: a, priority: .visible, mayStart: false)
      #expect(!first && !second)
      #expect(drain(&dispatcher) == [2, 1])
    }

    @Test func `a priority can change while an exchange waits`() {
      var dispatcher = dispatcher(perHost: 1)
      for id in 1...4 { _ = dispatcher.add(id, origin: a, priority: .normal) }
      dispatcher.setPriority(4, .visible)
      dispatcher.setPriority(2, .prefetch)
      dispatcher.setPriority(2, .visible)
      var order: [Int] = []
      for _ in 2...4 {
        dispatcher.finished(a, connected: true)
        order += drain(&dispatcher)
      }
      #expect(order == [2, 4, 3])
    }

    @Test func `a busy origin does not delay another one`() {
      var dispatcher = dispatcher(perHost: 1)
      #expect(add(&dispatcher, 1, to: a))
      #expect(!add(&dispatcher, 2, to: a, .visible))
      #expect(!add(&dispatcher, 3, to: b, .prefetch))
      #expect(drain(&dispatcher) == [3])
    }

    @Test func `an exchange cancelled while waiting is never started`() {
      var dispatcher = dispatcher(perHost: 1)
      for id in 1...3 { _ = dispatcher.add(id, origin: a, priority: .normal) }
      #expect(remove(&dispatcher, 2))
      #expect(!remove(&dispatcher, 2))
      dispatcher.finished(a, connected: true)
      #expect(drain(&dispatcher) == [3])
      #expect(dispatcher.isEmpty)
    }

    @Test func `after a failure to connect an origin is new again`() {
      var dispatcher = dispatcher()
      #expect(add(&dispatcher, 1, to: a))
      dispatcher.connected(a, multiplexed: false)
      dispatcher.finished(a, connected: false)
      let atOnce = (2...5).filter { dispatcher.add($0, origin: a, priority: .normal) }
      #expect(atOnce == [2, 3])
    }

    @Test func `an origin that no longer supports HTTP 2 accepts as many exchanges as connections`() {
      var dispatcher = dispatcher(perHost: 3, streams: 9)
      #expect(add(&dispatcher, 1, to: a))
      dispatcher.connected(a, multiplexed: true)
      dispatcher.finished(a, connected: true)
      #expect(add(&dispatcher, 2, to: a))
      dispatcher.finished(a, connected: true, overHTTP1: true)
      let atOnce = (3...8).filter { dispatcher.add($0, origin: a, priority: .normal) }
      #expect(atOnce == [3, 4, 5])
    }

    @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(3)))
    func `under random load no limit is exceeded, nothing starts twice and nothing is lost`(
      _ seeded: SeededGenerator
    ) {
      var random = seeded
      var dispatcher = dispatcher(perHost: 3, streams: 6, total: 7)
      let origins = [a, b, WebURL.Origin(scheme: "http", host: "c", port: 80)]
      var waiting: Set<Int> = []
      var running: [Int: WebURL.Origin] = [:]
      var started: Set<Int> = []
      var originOf: [Int: WebURL.Origin] = [:]
      func start(_ id: Int) {
        #expect(started.insert(id).inserted)
        waiting.remove(id)
        running[id] = originOf[id]
      }
      for id in 1...4_000 as ClosedRange<Int> {
        switch random.next() % 5 {
        case 0...1:
          let origin = origins[Int(random.next() % 3)]
          originOf[id] = origin
          waiting.insert(id)
          if dispatcher.add(
            id, origin: origin, priority: HTTPRequest.Priority.allCases[Int(random.next() % 3)])
          {
            start(id)
          }
        case 2:
          if let (id, origin) = running.first {
            running[id] = nil
            dispatcher.finished(origin, connected: random.next() % 4 != 0)
          }
        case 3:
          if let id = waiting.first, random.next() % 4 == 0 {
            #expect(remove(&dispatcher, id))
            waiting.remove(id)
          } else if let id = waiting.first {
            dispatcher.setPriority(id, HTTPRequest.Priority.allCases[Int(random.next() % 3)])
          }
        default:
          dispatcher.connected(origins[Int(random.next() % 3)], multiplexed: random.next() % 2 == 0)
        }
        while let id = dispatcher.next() { start(id) }
        #expect(dispatcher.active == running.count)
        #expect(running.count <= 7)
        for origin in origins { #expect(running.values.count { $0 == origin } <= 6) }
      }
      while !running.isEmpty || !waiting.isEmpty {
        for (id, origin) in running {
          running[id] = nil
          dispatcher.finished(origin, connected: true)
        }
        var progressed = false
        while let id = dispatcher.next() {
          start(id)
          progressed = true
        }
        #expect(progressed || waiting.isEmpty, "\(waiting.count) exchanges wait for ever")
        if !progressed { break }
      }
    }
  }
#endif
