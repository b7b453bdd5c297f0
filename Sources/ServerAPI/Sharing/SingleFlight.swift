internal import Support

/// The reads of a server in flight, whose exchanges equal reads share.
final class SingleFlight: Sendable {
  /// What makes two reads equal: everything that could change the response or its handling, except the total
  /// timeout.
  struct Key: Equatable, Sendable {
    fileprivate let url: WebURL
    /// The server. A changed copy is another one, since its interceptors may respond differently.
    private let core: ObjectIdentifier
    private let method: HTTPMethod
    private let headers: HTTPHeaders
    private let limits: HTTPRequest.Limits
    private let connect: Duration
    private let idle: Duration
    private let cacheVersion: Int
    private let rules: CallRules
    private let user: User

    /// The user, as far as it is added to a request later.
    struct User: Hashable, Sendable {
      /// The version of the provider's credentials.
      var credentials: Int?
      /// The revision of the cookie jar.
      var cookies: Int
    }

    init(_ request: HTTPRequest, _ rules: CallRules, _ user: User, of core: ServerCore) {
      url = request.url
      self.core = ObjectIdentifier(core)
      method = request.method
      headers = request.headers
      limits = request.limits
      connect = request.timeouts.connect
      idle = request.timeouts.idle
      cacheVersion = request.cacheVersion
      self.rules = rules
      self.user = user
    }
  }

  /// A shared exchange, as one of its members sees it.
  struct Flight: Sendable {
    let work: SharedWork<HTTPResponse>
    let priority: HTTPRequest.Priority.Handle
    let member: Int
    let isLeader: Bool
    /// The waits of the leader for rate limits.
    let waits: LimitWaits
  }

  private struct Entry {
    let key: Key
    let work: SharedWork<HTTPResponse>
    let priority: HTTPRequest.Priority.Handle
    let waits: LimitWaits
    /// The writes of the server when it started.
    let writes: Int
  }

  /// A caller, and what it knows.
  struct Caller {
    var priority: HTTPRequest.Priority
    var waits: LimitWaits
    /// The writes of the server now, and those that the exchange must not be older than.
    var writes: (now: Int, known: Int)
  }

  /// Guards the exchanges of the reads of each address, most of which have one.
  private let entries = Lock<[WebURL: [Entry]]>([:])

  /// Joins the equal read in flight, or becomes the leader that others join.
  func join(_ key: Key, _ caller: Caller) -> Flight {
    let flight = entries.withLock { Self.join(key, caller, in: &$0[key.url, default: []]) }
    if !flight.isLeader { flight.updatePriority() }
    return flight
  }

  private static func join(
    _ key: Key, _ caller: Caller, in entries: inout [Entry]
  ) -> Flight {
    let (priority, waits) = (caller.priority, caller.waits)
    let index = entries.firstIndex { $0.writes >= caller.writes.known && $0.key == key }
    if let index {
      let entry = entries[index]
      if let member = entry.work.join(priority) {
        return Flight(
          work: entry.work, priority: entry.priority, member: member, isLeader: false,
          waits: entry.waits)
      }
      // It has ended.
      entries.remove(at: index)
    }
    let entry = Entry(
      key: key, work: SharedWork(), priority: HTTPRequest.Priority.Handle(priority), waits: waits,
      writes: caller.writes.now)
    entries.append(entry)
    // New work always accepts its first member.
    let member = entry.work.join(priority) ?? 0
    return Flight(
      work: entry.work, priority: entry.priority, member: member, isLeader: true, waits: waits)
  }

  /// Removes an exchange that has ended, unless another one has replaced it.
  func remove(_ key: Key, _ work: SharedWork<HTTPResponse>) {
    entries.withLock { entries in
      guard let place = entries.index(forKey: key.url) else { return }
      entries.values[place].removeAll { $0.work === work }
      if entries.values[place].isEmpty { entries.remove(at: place) }
    }
  }

  /// Lets no further read join those of an address, whose resource may change. Their callers keep waiting for them.
  func retire(_ url: WebURL) { _ = entries.withLock { $0.removeValue(forKey: url) } }

  /// The number of exchanges in flight.
  var count: Int { entries.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}

extension SingleFlight.Flight {
  /// Sets the priority of the exchange to the highest of its callers.
  func updatePriority() {
    while let highest = work.priority {
      priority.set(highest)
      // Another caller may have changed its own meanwhile, and set the priority before this one.
      if work.priority == highest { return }
    }
  }

  /// Sets the priority of the caller to that of its handle now.
  private func follow(_ handle: HTTPRequest.Priority.Handle) {
    work.setPriority(handle.value, of: member)
    updatePriority()
  }

  /// Waits for the exchange, and follows changes of the caller's priority.
  func wait(
    until deadline: Deadline?, following handle: HTTPRequest.Priority.Handle?
  ) async throws(RequestError) -> HTTPResponse {
    let observer = handle.map { handle in
      handle.observe { [weak handle] _ in
        if let handle { follow(handle) }
      }
    }
    // It may have changed since the caller joined.
    if let handle { follow(handle) }
    if !isLeader, let deadline { deadline.waits.follow(waits, now: deadline.time.now()) }
    defer {
      if let observer { handle?.stopObserving(observer) }
      if !isLeader { updatePriority() }
      if !isLeader, let deadline { deadline.waits.unfollow(now: deadline.time.now()) }
    }
    return try await work.wait(member, until: deadline)
  }
}
