#if LIBCURL
  /// Decides which waiting exchange starts next.
  ///
  /// The queue is outside of libcurl, whose own host limits repeatedly iterate over all waiting handles. This is
  /// a value without clock and sockets: exchanges are added by id, and returned when their origin has room.
  ///
  /// - A new origin starts with ``probes`` exchanges until one of them has a connection. Otherwise each call of a
  ///   burst would start a name lookup, and learn too late that HTTP/2 needs only one connection.
  /// - Exchanges start by priority, then in order of arrival, over all origins that have room.
  struct Dispatcher {
    /// The maximum numbers of concurrent exchanges.
    struct Limits {
      var connectionsPerHost: Int
      var streamsPerHost: Int
      var exchanges: Int
    }

    /// What is known about the protocol of an origin.
    enum Knowledge {
      case unknown
      case connected
      case multiplexed
    }

    static let probes = 2

    private struct Host {
      var active = 0
      var knowledge = Knowledge.unknown
      /// The ids in order of arrival, one queue for each priority. Removed ones are skipped when they are first.
      var queues = [[Int]](repeating: [], count: HTTPRequest.Priority.allCases.count)
      var heads = [Int](repeating: 0, count: HTTPRequest.Priority.allCases.count)

      /// Removes the first id of a queue. The array of a queue that never becomes empty is compacted periodically.
      mutating func dropHead(of queue: Int) {
        heads[queue] += 1
        guard heads[queue] >= 1_024, heads[queue] * 2 > queues[queue].count else { return }
        queues[queue].removeFirst(heads[queue])
        heads[queue] = 0
      }
    }

    private struct Waiting {
      var origin: WebURL.Origin
      var priority: HTTPRequest.Priority
    }

    private let limits: Limits
    private var hosts: [WebURL.Origin: Host] = [:]
    private var waiting: [Int: Waiting] = [:]
    private(set) var active = 0

    init(_ limits: Limits) { self.limits = limits }

    /// Whether no exchange waits.
    var isEmpty: Bool { waiting.isEmpty }

    /// Adds an exchange. Returns `true` if it starts at once, without the queue, as most do. It may not if others that may
    /// have a higher priority are added next.
    mutating func add(
      _ id: Int, origin: WebURL.Origin, priority: HTTPRequest.Priority, mayStart: Bool = true
    ) -> Bool {
      if mayStart, waiting.isEmpty, hasRoom(hosts[origin]) {
        begin(origin)
        return true
      }
      waiting[id] = Waiting(origin: origin, priority: priority)
      hosts[origin, default: Host()].queues[priority.rawValue].append(id)
      return false
    }

    /// Returns the next exchange to start, if any.
    mutating func next() -> Int? {
      guard !waiting.isEmpty, active < limits.exchanges else { return nil }
      var best: (id: Int, place: Dictionary<WebURL.Origin, Host>.Index)?
      for queue in (0..<HTTPRequest.Priority.allCases.count).reversed() where best == nil {
        var place = hosts.startIndex
        while place != hosts.endIndex {
          // Ids increase in order of arrival, so the smallest head is the oldest.
          if hasRoom(hosts.values[place]), let id = head(of: place, queue), id < best?.id ?? .max {
            best = (id, place)
          }
          hosts.formIndex(after: &place)
        }
        if let best { hosts.values[best.place].dropHead(of: queue) }
      }
      guard let best else { return nil }
      waiting[best.id] = nil
      active += 1
      hosts.values[best.place].active += 1
      return best.id
    }

    /// Removes an exchange that has not started. Returns whether it was waiting.
    mutating func remove(_ id: Int) -> Bool { waiting.removeValue(forKey: id) != nil }

    /// Moves a waiting exchange to another queue.
    mutating func setPriority(_ id: Int, _ priority: HTTPRequest.Priority) {
      guard let entry = waiting[id], entry.priority != priority else { return }
      waiting[id]?.priority = priority
      // Keep the order of arrival in the new queue.
      guard var host = hosts[entry.origin] else { return }
      let head = host.heads[priority.rawValue]
      let queue = host.queues[priority.rawValue]
      let place = queue[head...].firstIndex { $0 > id } ?? queue.endIndex
      host.queues[priority.rawValue].insert(id, at: place)
      hosts[entry.origin] = host
    }

    /// Records that an exchange of an origin has a connection.
    mutating func connected(_ origin: WebURL.Origin, multiplexed: Bool) {
      guard hosts[origin]?.knowledge != .multiplexed else { return }
      hosts[origin]?.knowledge = multiplexed ? .multiplexed : .connected
    }

    /// Records the end of a started exchange.
    mutating func finished(_ origin: WebURL.Origin, connected: Bool, overHTTP1: Bool = false) {
      active -= 1
      guard let place = hosts.index(forKey: origin) else { return }
      hosts.values[place].active -= 1
      // After a failure to connect, the origin is treated as new: its server may have changed.
      if !connected, hosts.values[place].active == 0 { hosts.values[place].knowledge = .unknown }
      // Its server has also changed if it no longer supports HTTP/2.
      if overHTTP1, hosts.values[place].knowledge == .multiplexed {
        hosts.values[place].knowledge = .connected
      }
    }

    /// Removes idle origins, so that a crawler of many hosts needs little memory.
    mutating func forgetIdleHosts(keeping count: Int) {
      guard hosts.count > count else { return }
      let busy = Set(waiting.values.map(\.origin))
      hosts = hosts.filter { $0.value.active > 0 || busy.contains($0.key) }
    }

    private mutating func begin(_ origin: WebURL.Origin) {
      active += 1
      hosts[origin, default: Host()].active += 1
    }

    private func hasRoom(_ host: Host?) -> Bool {
      guard active < limits.exchanges else { return false }
      guard let host else { return true }
      return switch host.knowledge {
      case .unknown: host.active < min(Self.probes, limits.connectionsPerHost)
      case .connected: host.active < limits.connectionsPerHost
      case .multiplexed: host.active < limits.streamsPerHost
      }
    }

    /// Returns the first id of a queue that still waits there, and drops those before it.
    private mutating func head(
      of place: Dictionary<WebURL.Origin, Host>.Index, _ queue: Int
    ) -> Int? {
      guard !hosts.values[place].queues[queue].isEmpty else { return nil }
      while hosts.values[place].heads[queue] < hosts.values[place].queues[queue].count {
        let id = hosts.values[place].queues[queue][hosts.values[place].heads[queue]]
        if waiting[id]?.priority.rawValue == queue { return id }
        hosts.values[place].heads[queue] += 1
      }
      hosts.values[place].queues[queue] = []
      hosts.values[place].heads[queue] = 0
      return nil
    }
  }
#endif
