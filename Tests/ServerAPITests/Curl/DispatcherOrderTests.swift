#if LIBCURL
  import QuireTesting
  import Testing

  @testable import ServerAPI

  /// A dispatcher beside a list that is searched from its start.
  @Suite struct DispatcherOrderTests {
    private struct Waiting {
      var id: Int
      var origin: WebURL.Origin
      var priority: HTTPRequest.Priority
    }

    @Test func `exchanges start in the order of a list that is sorted again each time`() throws {
      for seeded in try SeededGenerator.runs(Thoroughness.runs(60)) {
        var random = seeded
        let origins = (0..<3).map { WebURL.Origin(scheme: "https", host: "\($0)", port: 443) }
        let limits = Dispatcher.Limits(
          connectionsPerHost: Int.random(in: 1...4, using: &random),
          streamsPerHost: Int.random(in: 1...6, using: &random),
          exchanges: Int.random(in: 1...8, using: &random))
        var dispatcher = Dispatcher(limits)
        var waiting: [Waiting] = []
        var active: [(id: Int, origin: WebURL.Origin)] = []
        var room: [WebURL.Origin: Int] = [:]
        let unknown = min(Dispatcher.probes, limits.connectionsPerHost)
        func count(_ origin: WebURL.Origin) -> Int { active.count { $0.origin == origin } }
        func mayStart(_ origin: WebURL.Origin) -> Bool {
          active.count < limits.exchanges && count(origin) < room[origin] ?? unknown
        }
        for id in 1...300 as ClosedRange<Int> {
          let origin = origins[Int.random(in: 0..<3, using: &random)]
          let priority = HTTPRequest.Priority.allCases[Int.random(in: 0..<3, using: &random)]
          switch Int.random(in: 0..<10, using: &random) {
          case 0..<5:
            let mayStartAtOnce = Bool.random(using: &random)
            let expected = mayStartAtOnce && waiting.isEmpty && mayStart(origin)
            let isStarted = dispatcher.add(
              id, origin: origin, priority: priority, mayStart: mayStartAtOnce)
            #expect(isStarted == expected, "\(seeded)")
            if isStarted {
              active.append((id, origin))
            } else {
              waiting.append(Waiting(id: id, origin: origin, priority: priority))
            }
          case 5..<7:
            guard !waiting.isEmpty else { continue }
            let place = Int.random(in: 0..<waiting.count, using: &random)
            waiting[place].priority = priority
            dispatcher.setPriority(waiting[place].id, priority)
          case 7:
            guard !waiting.isEmpty else { continue }
            let id = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &random)).id
            let wasWaiting = dispatcher.remove(id)
            #expect(wasWaiting)
          case 8:
            guard !active.isEmpty else { continue }
            let ended = active.remove(at: Int.random(in: 0..<active.count, using: &random))
            dispatcher.finished(ended.origin, connected: true)
          default:
            guard count(origin) > 0 || waiting.contains(where: { $0.origin == origin }) else {
              continue
            }
            guard room[origin] != limits.streamsPerHost || room[origin] == nil else { continue }
            room[origin] = limits.connectionsPerHost
            dispatcher.connected(origin, multiplexed: false)
          }
          dispatcher.forgetIdleHosts(keeping: 5)
          while let started = dispatcher.next() {
            let next = waiting.enumerated().filter { mayStart($0.element.origin) }
              .max { a, b in
                (a.element.priority.rawValue, -a.element.id) < (
                  b.element.priority.rawValue, -b.element.id
                )
              }
            #expect(next?.element.id == started, "\(seeded)")
            guard let next else { return }
            waiting.remove(at: next.offset)
            active.append((started, next.element.origin))
          }
          let isStuck = waiting.contains { mayStart($0.origin) }
          #expect(!isStuck, "\(seeded)")
          guard !isStuck else { return }
        }
      }
    }
  }
#endif
