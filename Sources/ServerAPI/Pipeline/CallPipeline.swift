/// The way of one call, stage by stage, outermost first:
///
/// 1. ``prepare(_:)``: the call becomes a request and is checked; nothing was sent yet.
/// 2. ``inTime(_:)``: a slot and the deadline end the call whatever the stages inside do.
/// 3. ``intercepted(_:)``: the interceptors of the server, once per call.
/// 4. ``shared(_:)``: what is stored and fresh is the answer; equal reads share what follows.
/// 5. ``ExchangeLoop``: exchanges, with the cache, pacing, credentials, cookies, redirects,
///    validation and retries. The cache stands there and not before it, since a
///    redirect is an answer to keep like any other, and whose answers may be seen is known only there.
struct CallPipeline: Sendable {
  let core: ServerCore
  let rules: CallRules
  let deadline: Deadline
  let trace: CallTrace?
  let slot: Call.Slot?
  let wantsSharing: Bool

  init(_ core: ServerCore, _ call: Call, start: Duration) {
    let configuration = core.configuration
    self.core = core
    rules = CallRules(call, configuration)
    deadline = Deadline(
      after: (call.timeouts ?? configuration.timeouts).total, from: start,
      time: configuration.time)
    trace = CallTrace(configuration.monitors, call)
    slot = call.slot
    wantsSharing = call.sharesExchange ?? configuration.sharesReads
  }

  func prepare(_ call: Call) throws(RequestError) -> HTTPRequest {
    let request = try RequestBuilder.build(
      call, base: try core.base.get(), configuration: core.configuration)
    trace?.record(.created(request))
    return request
  }

  /// Only foreign code can fail to notice the deadline, and only a slot ends a call from outside;
  /// without them the call stays in the task of the caller.
  func inTime(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    guard slot != nil || core.hasInterceptors else { return try await shared(request) }
    let work = SharedWork<HTTPResponse>()
    guard let me = work.join() else { throw RequestError(.cancelled(.byCaller)) }
    let turn = slot?.enter { work.end(me, .cancelled(.superseded)) }
    defer { if let turn { slot?.leave(turn) } }
    work.start {
      do throws(RequestError) { return .success(try await intercepted(request)) } catch {
        return .failure(error)
      }
    }
    return try await work.wait(me, until: deadline)
  }

  func intercepted(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let interceptors = core.configuration.interceptors
    guard !interceptors.isEmpty else { return try await shared(request) }
    return try await InterceptorChain(interceptors: interceptors) {
      (request) async throws(RequestError) -> HTTPResponse in
      try await shared(request)
    }(request)
  }

  func shared(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    if let cache = core.configuration.cache {
      // A disk may keep a thread waiting, and that of an actor has others to serve.
      if cache.mayWait, !isOnFreeThread() { return try await sharedElsewhere(request) }
      try cache.check()
    }
    // What was found out here is carried onward, so that the first exchange need not ask again.
    var opening: ExchangeLoop.Opening?
    if let stored = try loop.stored(for: request, opening: &opening) { return stored }
    guard wantsSharing, request.isShareable, !core.isAskedByItsProvider, hasOneUser else {
      return try await loop.run(request, isTainted: rules.isForeign, opening: opening)
    }
    let key = SingleFlight.Key(request, rules, user)
    let priority = request.priorityHandle?.value ?? request.priority
    while true {
      let flight = core.flights.enter(key, priority)
      if flight.leads {
        lead(flight, key, request, opening, lends: isOnFreeThread())
        return try await flight.wait(until: nil, following: request.priorityHandle)
      }
      trace?.record(.joined)
      opening = nil
      do throws(RequestError) {
        return try await flight.wait(until: deadline, following: request.priorityHandle)
      } catch {
        // The one that began ran out of its time; this one may have some left.
        guard error.kind == .timeout(.total), deadline.remaining > .zero else { throw error }
      }
    }
  }

  /// Whether all calls are known to be for one user: interceptors of the network may make each exchange
  /// one of somebody else, unless the program has named the user.
  private var hasOneUser: Bool {
    core.configuration.networkInterceptors.isEmpty || core.configuration.cachePartition != nil
  }

  /// Who is asking, as far as the request does not say so yet.
  private var user: SingleFlight.Key.User {
    let configuration = core.configuration
    let cookies = configuration.keepsCookies ? core.memory.cookieRevision : 0
    guard case .provided(let store)? = configuration.authentication?.source else {
      return .init(credentials: nil, cookies: cookies)
    }
    return .init(
      credentials: store.versionInUse(now: configuration.time.now()), cookies: cookies)
  }

  @concurrent
  private func sharedElsewhere(
    _ request: HTTPRequest
  ) async throws(RequestError) -> HTTPResponse {
    try await shared(request)
  }

  /// Whether the caller may lend its thread. That of an actor is not for lending: others want it.
  private func isOnFreeThread(_ isolation: isolated (any Actor)? = #isolation) -> Bool {
    isolation == nil
  }

  private func lead(
    _ flight: SingleFlight.Flight, _ key: SingleFlight.Key, _ request: HTTPRequest,
    _ opening: ExchangeLoop.Opening?, lends: Bool
  ) {
    var request = request
    request.priorityHandle = flight.priority
    flight.work.start(lender: lends ? flight.me : nil) { [request] in
      defer { core.flights.leave(key, flight.work) }
      do throws(RequestError) {
        return .success(
          try await loop.run(request, isTainted: rules.isForeign, opening: opening))
      } catch {
        return .failure(error)
      }
    }
  }

  private var loop: ExchangeLoop {
    ExchangeLoop(core: core, rules: rules, deadline: deadline, trace: trace)
  }
}

extension HTTPRequest {
  /// Whether an equal request may get the same answer object: reads without a side channel.
  fileprivate var isShareable: Bool {
    (method == .get || method == .head) && body == nil && receiver == nil && progress == nil
  }
}

/// The rules of one call: its own where it has some, else those of the server.
struct CallRules: Hashable, Sendable {
  let content: ContentPolicy
  let retry: RetryPolicy
  let redirects: RedirectPolicy
  var cache: CacheMode
  let acceptsErrorStatuses: Bool
  /// Whether the call goes without anything that says who is asking.
  let isForeign: Bool

  init(_ call: Call, _ configuration: Server.Configuration) {
    content = call.content ?? configuration.content
    retry = call.retry ?? configuration.retry
    redirects = call.redirects ?? configuration.redirects
    cache = call.cache ?? configuration.cacheMode
    acceptsErrorStatuses = call.acceptsErrorStatuses
    isForeign = call.isForeign
  }
}
