/// The stages of one call, outermost first:
///
/// 1. ``prepare(_:)`` builds and validates the request; nothing is sent yet.
/// 2. ``inTime(_:)`` enforces the slot and the deadline, whatever the inner stages do.
/// 3. ``intercepted(_:)`` runs the interceptors of the server, once per call.
/// 4. ``shared(_:)`` returns a fresh stored response; equal reads share the following stage.
/// 5. ``ExchangeLoop`` sends exchanges, with the cache, pacing, credentials, cookies, redirects, validation
///    and retries. The cache is part of this stage because redirects are stored like other responses, and
///    because the owner of a response is known only here.
struct CallPipeline: Sendable {
  let core: ServerCore
  let rules: CallRules
  let deadline: Deadline
  let trace: CallTrace?
  let slot: Call.Slot?
  let business: Call.BusinessCheck?
  let wantsSharing: Bool
  /// What the call counts for the pace.
  let weight: Double

  init(_ core: ServerCore, _ call: Call, start: Duration) {
    self.core = core
    rules = CallRules(call, core.configuration)
    deadline = Deadline(
      after: (call.timeouts ?? core.configuration.timeouts).total, from: start,
      time: core.configuration.time)
    let monitors = core.configuration.monitors
    trace = monitors.isEmpty ? nil : CallTrace(monitors, call)
    slot = call.slot
    weight = call.weight
    business = call.businessCheck ?? core.configuration.businessCheck
    // Checks can't be compared, so a shared response might be checked by that of another call.
    wantsSharing =
      call.businessCheck == nil && call.sharesExchange ?? core.configuration.sharesReads
  }

  func prepare(_ call: Call) throws(RequestError) -> HTTPRequest {
    let request = try RequestBuilder.build(
      call, base: try core.base.get(), configuration: core.configuration, known: core.targets)
    trace?.record(.created(request))
    return request
  }

  /// Enforces the slot and the deadline. Only an interceptor can miss the deadline, and only a slot ends a call
  /// from outside; without them the call stays in the task of the caller.
  func inTime(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    guard slot != nil || core.hasInterceptors else { return try await shared(request) }
    let work = SharedWork<HTTPResponse>()
    guard let member = work.join() else { throw RequestError(.cancelled(.byCaller)) }
    let turn = slot?.occupy { work.end(member, .cancelled(.superseded)) }
    defer { if let turn { slot?.vacate(turn) } }
    work.start {
      do throws(RequestError) { return .success(try await intercepted(request)) } catch {
        return .failure(error)
      }
    }
    return try await work.wait(member, until: deadline)
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
      // A disk may block the thread, which must not be that of an actor.
      if cache.mayBlock, !isNonisolated() { return try await sharedOnPool(request) }
      try cache.checkSecurity()
    }
    // The lookup is passed on, so that the first exchange need not repeat it.
    var first: ExchangeLoop.FirstExchange?
    if let stored = try loop.stored(for: request, first: &first) { return stored }
    guard wantsSharing, request.isShareable, !core.isAskedByItsProvider, hasOneUser else {
      return try await loop.run(request, isTainted: rules.isForeign, first: first)
    }
    let key = SingleFlight.Key(request, rules, user, of: core)
    let priority = request.priorityHandle?.value ?? request.priority
    while true {
      let flight = core.flights.join(
        key,
        .init(
          priority: priority, waits: deadline.waits,
          writes: (now: core.memory.writes, known: request.writes)))
      if flight.isLeader {
        lead(flight, for: key, request, first: first, lendsThread: isNonisolated())
        return try await flight.wait(until: nil, following: request.priorityHandle)
      }
      trace?.record(.joined)
      first = nil
      do throws(RequestError) {
        return try await flight.wait(until: deadline, following: request.priorityHandle)
      } catch {
        // The leader timed out; this call may have time left.
        guard error.kind == .timeout(.total), deadline.remaining > .zero else { throw error }
      }
    }
  }

  /// Whether all calls are known to be for the same user. Network interceptors may change the user of each
  /// exchange, unless the program has named the user.
  private var hasOneUser: Bool {
    core.configuration.networkInterceptors.isEmpty || core.configuration.cachePartition != nil
  }

  /// The user, as far as the request does not identify it yet.
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
  private func sharedOnPool(
    _ request: HTTPRequest
  ) async throws(RequestError) -> HTTPResponse {
    try await shared(request)
  }

  /// Whether the caller runs outside of any actor, so that it may block or lend its thread.
  private func isNonisolated(_ isolation: isolated (any Actor)? = #isolation) -> Bool {
    isolation == nil
  }

  private func lead(
    _ flight: SingleFlight.Flight, for key: SingleFlight.Key, _ request: HTTPRequest,
    first: ExchangeLoop.FirstExchange?, lendsThread: Bool
  ) {
    var request = request
    request.priorityHandle = flight.priority
    flight.work.start(lender: lendsThread ? flight.member : nil) { [request] in
      defer { core.flights.remove(key, flight.work) }
      do throws(RequestError) {
        return .success(
          try await loop.run(request, isTainted: rules.isForeign, first: first))
      } catch {
        return .failure(error)
      }
    }
  }

  var loop: ExchangeLoop {
    ExchangeLoop(
      core: core, rules: rules, business: business, deadline: deadline, trace: trace,
      weight: weight)
  }
}

extension HTTPRequest {
  /// Whether equal requests may share a response: a read without body, receiver and progress handler.
  fileprivate var isShareable: Bool {
    (method == .get || method == .head) && body == nil && receiver == nil && progress == nil
  }
}

/// The policies of one call: its own, or those of the server.
struct CallRules: Hashable, Sendable {
  let content: Call.ContentPolicy
  let retry: RetryPolicy
  let redirects: RedirectPolicy
  var cache: CacheMode
  let acceptsErrorStatuses: Bool
  /// Whether the call is sent without anything that identifies the user.
  let isForeign: Bool
  /// Why the call repeats an earlier one.
  let repeatReason: String?
  let judge: ResponseJudge?

  init(_ call: Call, _ configuration: Server.Configuration) {
    content = call.content ?? configuration.content
    retry = call.retry ?? configuration.retry
    redirects = call.redirects ?? configuration.redirects
    cache = configuration.cacheMode(of: call)
    acceptsErrorStatuses = call.acceptsErrorStatuses
    isForeign = call.isForeign
    repeatReason = call.repeatReason
    judge = call.judge
  }
}
