internal import Support

/// The reads of a server that are under way, so that an equal one can share the exchange.
final class SingleFlight: Sendable {
  /// What makes two reads equal: everything that could change the answer or its handling. How long
  /// each may take in all is its own affair.
  struct Key: Hashable, Sendable {
    private let url: WebURL
    private let method: HTTPMethod
    private let headers: HTTPHeaders
    private let limits: TransferLimits
    private let connect: Duration
    private let idle: Duration
    private let rules: CallRules
    private let user: User

    /// What is added to a request later and says who is asking.
    struct User: Hashable, Sendable {
      /// The version of the credentials of a provider.
      var credentials: Int?
      /// The state of the cookies that are kept.
      var cookies: Int
    }

    init(_ request: HTTPRequest, _ rules: CallRules, _ user: User) {
      url = request.url
      method = request.method
      headers = request.headers
      limits = request.limits
      connect = request.timeouts.connect
      idle = request.timeouts.idle
      self.rules = rules
      self.user = user
    }

    /// The address tells nearly all reads apart.
    func hash(into hasher: inout Hasher) { hasher.combine(url) }
  }

  /// One exchange and those who wait for it.
  struct Flight: Sendable {
    let work: SharedWork<HTTPResponse>
    let priority: Priority.Handle
    let me: Int
    let leads: Bool
  }

  private struct Entry {
    let work: SharedWork<HTTPResponse>
    let priority: Priority.Handle
  }

  /// Guards which exchange stands for which read.
  private let entries = Lock<[Key: Entry]>([:])

  /// Joins the equal read that is under way, or becomes the one that others join.
  func enter(_ key: Key, _ priority: Priority) -> Flight {
    let flight = entries.withLock { entries in
      if let entry = entries[key], let me = entry.work.join(priority) {
        return Flight(
          work: entry.work, priority: entry.priority, me: me, leads: false)
      }
      let entry = Entry(work: SharedWork(), priority: Priority.Handle(priority))
      // A new work takes its first member for certain.
      let me = entry.work.join(priority) ?? 0
      entries[key] = entry
      return Flight(
        work: entry.work, priority: entry.priority, me: me, leads: true
      )
    }
    if !flight.leads { flight.updatePriority() }
    return flight
  }

  /// Forgets an exchange that is over, unless another already stands in its place.
  func leave(_ key: Key, _ work: SharedWork<HTTPResponse>) {
    entries.withLock { entries in
      if entries[key]?.work === work { entries[key] = nil }
    }
  }

  /// How many exchanges are under way.
  var count: Int { entries.withLock { $0.count } }
}

extension SingleFlight.Flight {
  /// Makes the exchange as urgent as its most urgent caller.
  func updatePriority() {
    if let highest = work.priority { priority.set(highest) }
  }

  /// Waits for the exchange, and follows the wish of the caller to be served sooner or later.
  func wait(
    until deadline: Deadline?, following handle: Priority.Handle?
  ) async throws(RequestError) -> HTTPResponse {
    handle?.observe { [work, priority, me] lookup in
      if let highest = work.setPriority(lookup, of: me) { priority.set(highest) }
    }
    defer {
      handle?.observe(nil)
      if !leads { updatePriority() }
    }
    return try await work.wait(me, until: deadline)
  }
}
