/// Decides which waiting exchange starts next.
///
/// The queue stands outside libcurl, whose own host limits walk every waiting handle again and
/// again. This is a value without clock and sockets: exchanges go in by number and come out when
/// their origin has room.
///
/// - A new origin starts with ``probes`` exchanges, until one of them has a connection: otherwise a
///   burst of calls would start one name lookup each and learn too late that HTTP/2 needs only one
///   connection.
/// - Higher priority goes first; equals in order of arrival, over all origins that have room.
struct Dispatcher {
  /// How much may go on at once.
  struct Limits {
    var connectionsPerHost: Int
    var streamsPerHost: Int
    var exchanges: Int
  }

  /// What is known of how an origin speaks.
  enum Knowledge {
    case unknown
    case connected
    case multiplexed
  }

  static let probes = 2

  private struct Host {
    var active = 0
    var knowledge = Knowledge.unknown
    /// Numbers in order of arrival, one line for each priority. Those that left early are skipped
    /// when they come up.
    var lines = [[UInt64]](repeating: [], count: Priority.allCases.count)
    var heads = [Int](repeating: 0, count: Priority.allCases.count)

    /// Moves past the first of a line. A line that never runs empty is cut now and then.
    mutating func dropHead(of line: Int) {
      heads[line] += 1
      guard heads[line] >= 1_024, heads[line] * 2 > lines[line].count else { return }
      lines[line].removeFirst(heads[line])
      heads[line] = 0
    }
  }

  private struct Waiting {
    var origin: WebURL.Origin
    var priority: Priority
  }

  private let limits: Limits
  private var hosts: [WebURL.Origin: Host] = [:]
  private var waiting: [UInt64: Waiting] = [:]
  private(set) var active = 0

  init(_ limits: Limits) { self.limits = limits }

  /// Whether anything waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Takes an exchange in. Returns whether it starts at once, which saves the queue on the way that
  /// most calls go.
  mutating func add(_ id: UInt64, origin: WebURL.Origin, priority: Priority) -> Bool {
    if waiting.isEmpty, hasRoom(hosts[origin]) {
      begin(origin)
      return true
    }
    waiting[id] = Waiting(origin: origin, priority: priority)
    hosts[origin, default: Host()].lines[priority.rawValue].append(id)
    return false
  }

  /// The next exchange that may start, if any.
  mutating func next() -> UInt64? {
    guard !waiting.isEmpty, active < limits.exchanges else { return nil }
    var best: (id: UInt64, place: Dictionary<WebURL.Origin, Host>.Index)?
    for line in (0..<Priority.allCases.count).reversed() where best == nil {
      var place = hosts.startIndex
      while place != hosts.endIndex {
        // Numbers grow with arrival, so the smallest head is the oldest.
        if hasRoom(hosts.values[place]), let id = head(of: place, line), id < best?.id ?? .max {
          best = (id, place)
        }
        hosts.formIndex(after: &place)
      }
      if let best { hosts.values[best.place].dropHead(of: line) }
    }
    guard let best else { return nil }
    waiting[best.id] = nil
    active += 1
    hosts.values[best.place].active += 1
    return best.id
  }

  /// An exchange left the queue before it started. Returns whether it was waiting.
  mutating func remove(_ id: UInt64) -> Bool { waiting.removeValue(forKey: id) != nil }

  /// Moves an exchange to another line if it still waits.
  mutating func setPriority(_ id: UInt64, _ priority: Priority) {
    guard let entry = waiting[id], entry.priority != priority else { return }
    waiting[id]?.priority = priority
    // Keep order of arrival inside the line it joins.
    guard var host = hosts[entry.origin] else { return }
    let head = host.heads[priority.rawValue]
    let line = host.lines[priority.rawValue]
    let place = line[head...].firstIndex { $0 > id } ?? line.endIndex
    host.lines[priority.rawValue].insert(id, at: place)
    hosts[entry.origin] = host
  }

  /// An exchange of that origin has a connection.
  mutating func connected(_ origin: WebURL.Origin, multiplexed: Bool) {
    guard hosts[origin]?.knowledge != .multiplexed else { return }
    hosts[origin]?.knowledge = multiplexed ? .multiplexed : .connected
  }

  /// An exchange that had started is over.
  mutating func finished(_ origin: WebURL.Origin, connected: Bool, overHTTP1: Bool = false) {
    active -= 1
    guard let place = hosts.index(forKey: origin) else { return }
    hosts.values[place].active -= 1
    // After a failure to connect the origin is new again: it may have moved.
    if !connected, hosts.values[place].active == 0 { hosts.values[place].knowledge = .unknown }
    // So it may have when it does not speak HTTP/2 any more.
    if overHTTP1, hosts.values[place].knowledge == .multiplexed {
      hosts.values[place].knowledge = .connected
    }
  }

  /// Forgets origins without work, so that a crawler of many hosts stays small.
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

  /// The first of a line that is still waiting in it; drops those that are not.
  private mutating func head(of place: Dictionary<WebURL.Origin, Host>.Index, _ line: Int)
    -> UInt64?
  {
    guard !hosts.values[place].lines[line].isEmpty else { return nil }
    while hosts.values[place].heads[line] < hosts.values[place].lines[line].count {
      let id = hosts.values[place].lines[line][hosts.values[place].heads[line]]
      if waiting[id]?.priority.rawValue == line { return id }
      hosts.values[place].heads[line] += 1
    }
    hosts.values[place].lines[line] = []
    hosts.values[place].heads[line] = 0
    return nil
  }
}
