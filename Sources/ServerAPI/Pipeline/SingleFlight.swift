internal import Synchronization

/// The reads of a server that are under way, so that an equal one can share the exchange.
final class SingleFlight: Sendable {
  /// What makes two reads equal: everything that could change the answer or its handling. How long
  /// each may take in all is its own affair.
  struct Key: Hashable, Sendable {
    let request: HTTPRequest
    let rules: CallRules

    static func == (a: Key, b: Key) -> Bool {
      a.request.url.description == b.request.url.description
        && a.request.method == b.request.method && a.request.headers == b.request.headers
        && a.request.limits == b.request.limits
        && a.request.timeouts.connect == b.request.timeouts.connect
        && a.request.timeouts.idle == b.request.timeouts.idle && a.rules == b.rules
    }

    func hash(into hasher: inout Hasher) { hasher.combine(request.url.description) }
  }

  /// One exchange and those who wait for it.
  struct Flight: Sendable {
    let work: SharedWork<HTTPResponse>
    let priority: PriorityHandle
    let me: Int
    let leads: Bool
    /// Whether no other read of the server was under way when it began.
    let isAlone: Bool
  }

  private struct Entry {
    let work: SharedWork<HTTPResponse>
    let priority: PriorityHandle
  }

  /// Guards which exchange stands for which read.
  private let entries = Mutex<[Key: Entry]>([:])

  /// Joins the equal read that is under way, or becomes the one that others join.
  func enter(_ key: Key, _ priority: Priority) -> Flight {
    let flight = entries.withLock { entries in
      if let entry = entries[key], let me = entry.work.join(priority) {
        return Flight(
          work: entry.work, priority: entry.priority, me: me, leads: false, isAlone: false)
      }
      let entry = Entry(work: SharedWork(), priority: PriorityHandle(priority))
      // A new work takes its first member for certain.
      let me = entry.work.join(priority) ?? 0
      entries[key] = entry
      return Flight(
        work: entry.work, priority: entry.priority, me: me, leads: true, isAlone: entries.count == 1
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
    until deadline: Deadline?, following handle: PriorityHandle?
  ) async throws(RequestError) -> HTTPResponse {
    handle?.observe { [work, priority, me] wish in
      if let highest = work.setPriority(wish, of: me) { priority.set(highest) }
    }
    defer {
      handle?.observe(nil)
      if !leads { updatePriority() }
    }
    return try await work.wait(me, until: deadline)
  }
}
