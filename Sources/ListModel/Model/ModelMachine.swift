public import ListReading
public import ServerAPI

/// The state machine of a ``BaseModel``: decides what an event changes.
///
/// Each load has a number. An event of another load than the running one changes nothing, however late it
/// is. The machine has no clock, no task and no network: it takes an event and returns effects for its
/// owner to perform, in order. A waiter is what the owner calls when a load ends.
struct ModelMachine<Value, Waiter> {
  enum Event {
    /// A load was requested; it joins the running load if there is one. If what that one gets may be outdated, it
    /// requests the value once more.
    case load(Waiter?, Caching, isOutdated: Bool = false)
    /// The request of a load ended.
    case responded(load: Int, BaseServerAPI.Outcome)
    /// The response of a load was decoded. `took` is the duration, `at` the time of its end in seconds since
    /// 1970.
    case decoded(load: Int, Result<Value, LoadError>, took: Duration, at: Double)
    /// The subclass has handled the value.
    case applied(load: Int)
    /// The load was cancelled.
    case cancel
    /// The request changed.
    case reset
  }

  enum Effect {
    /// Send the request. Without a mode it uses the cache mode of the call.
    case send(load: Int, CacheMode?)
    /// Decode the response.
    case decode(load: Int, HTTPResponse)
    /// Record the duration of decoding, which has ended.
    case noteDecoding(Duration)
    /// Pass the value to the subclass, then report ``Event/applied(load:)``.
    case apply(load: Int, Value)
    /// Call the waiters with the outcome.
    case finish([Waiter], BaseModel<Value>.Outcome)
    /// Cancel the request or decoding in progress. The waiters are called in a later turn, not inside the call
    /// that caused it.
    case abandon([Waiter], RequestError.CancelReason)
  }

  /// The cache settings when a load starts.
  struct Caching {
    var policy = CachePolicy.standard
    /// The mode of the server's configuration.
    var usual = CacheMode.standard
    /// Whether the server has a cache whose response can be shown first.
    var hasStore = false
    /// Whether the call sets its own cache mode, which takes precedence.
    var isSetByCall = false
  }

  /// The work that the running load waits for. `next` is the cache mode of the second request if the first
  /// one is for a stored value.
  private enum Step {
    case response(next: CacheMode?)
    case value(HTTPResponse.Source, next: CacheMode?)
    case subclass(next: CacheMode)
  }

  private enum Phase {
    /// Nothing runs; the error is that of the last load, if it failed.
    case idle(LoadError?)
    case loading(Step, waiters: [Waiter])
  }

  /// The value of the last successful load.
  private(set) var value: Value?
  private var phase = Phase.idle(nil)
  private var record = FreshnessRecord()
  /// The number of the last load; `0` before the first. One that requests its value once more has a new number from
  /// then on, so that the first response changes nothing.
  private var lastLoad = 0
  /// The number of the running load when it started.
  private var started = 0
  /// The number of times the value was set or discarded.
  private var valueChanges = 0

  var state: BaseModel<Value>.State {
    switch phase {
    case .loading: .loading
    case .idle(let error?): .failed(error)
    case .idle(nil): value == nil ? .neverLoaded : .loaded
    }
  }

  var freshness: Freshness { record.freshness }

  /// The number with which the running load started.
  var load: Int? {
    if case .loading = phase { started } else { nil }
  }

  /// The number of the load that a call would join or start now.
  var nextLoad: Int { load ?? lastLoad + 1 }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .load(let waiter, let caching, let isOutdated):
      return load(waiter, caching, isOutdated)
    case .responded(let load, let outcome):
      guard case .loading(.response(let next), let waiters) = phase(of: load) else { return [] }
      return responded(outcome, next, waiters)
    case .decoded(let load, let result, let time, let moment):
      guard case .loading(.value(let source, let next), let waiters) = phase(of: load) else {
        return []
      }
      let effects =
        switch result {
        case .success(let value): received(value, from: source, at: moment, next: next, waiters: waiters)
        case .failure(let error): failed(error, next, waiters)
        }
      return [.noteDecoding(time)] + effects
    case .applied(let load):
      guard case .loading(.subclass(let next), let waiters) = phase(of: load) else { return [] }
      return request(next, waiters)
    case .cancel: return end(.byCaller)
    case .reset:
      let effects = end(.superseded)
      phase = .idle(nil)
      if value != nil { replace(nil) }
      record.forget()
      return effects
    }
  }

  /// The phase, if this is the running load.
  private func phase(of load: Int) -> Phase? { load == lastLoad ? phase : nil }

  private mutating func load(
    _ waiter: Waiter?, _ caching: Caching, _ isOutdated: Bool
  ) -> [Effect] {
    let waiting = waiter.map { [$0] } ?? []
    if case .loading(let step, let waiters) = phase {
      guard isOutdated else {
        phase = .loading(step, waiters: waiters + waiting)
        return []
      }
      lastLoad += 1
      let use = caching.policy.use(for: .refresh, usual: caching.usual)
      return request(caching.isSetByCall ? nil : use.mode, waiters + waiting)
    }
    lastLoad += 1
    started = lastLoad
    let isRepeat = if case .idle(.some) = phase { true } else { false }
    let use = caching.policy.use(
      for: value == nil ? .first : .refresh, usual: caching.usual, isRepeat: isRepeat)
    if caching.isSetByCall { return request(nil, waiting) }
    guard use.showsStored, caching.hasStore else { return request(use.mode, waiting) }
    phase = .loading(.response(next: use.mode), waiters: waiting)
    return [.send(load: lastLoad, .cacheOnly)]
  }

  /// Requests the value that ends the load.
  private mutating func request(_ mode: CacheMode?, _ waiters: [Waiter]) -> [Effect] {
    phase = .loading(.response(next: nil), waiters: waiters)
    return [.send(load: lastLoad, mode)]
  }

  private mutating func responded(
    _ outcome: BaseServerAPI.Outcome, _ next: CacheMode?, _ waiters: [Waiter]
  ) -> [Effect] {
    switch outcome {
    case .succeeded(let response):
      // A response of the server ends the load, even if a stored one was requested.
      let next = response.source.isCache ? next : nil
      phase = .loading(.value(response.source, next: next), waiters: waiters)
      return [.decode(load: lastLoad, response)]
    case .failed(let error): return failed(.request(error), next, waiters)
    case .cancelled(let reason):
      phase = .idle(nil)
      return [.finish(waiters, .cancelled(reason))]
    }
  }

  private mutating func received(
    _ value: Value, from source: HTTPResponse.Source, at moment: Double, next: CacheMode?,
    waiters: [Waiter]
  ) -> [Effect] {
    replace(value)
    record.begin(with: source, asOf: source.cachedSince ?? moment)
    if let next {
      phase = .loading(.subclass(next: next), waiters: waiters)
      return [.apply(load: lastLoad, value)]
    }
    phase = .idle(nil)
    return [.apply(load: lastLoad, value), .finish(waiters, .loaded(value))]
  }

  /// A stored value that can't be shown counts as missing: the load continues with its second request.
  private mutating func failed(
    _ error: LoadError, _ next: CacheMode?, _ waiters: [Waiter]
  ) -> [Effect] {
    if let next { return request(next, waiters) }
    record.failed(error)
    phase = .idle(error)
    return [.finish(waiters, .failed(error))]
  }

  private mutating func end(_ reason: RequestError.CancelReason) -> [Effect] {
    guard case .loading(_, let waiters) = phase else { return [] }
    phase = .idle(nil)
    return [.abandon(waiters, reason)]
  }

  private mutating func replace(_ value: Value?) {
    self.value = value
    valueChanges += 1
  }
}

extension ModelMachine {
  /// The observable properties that an event changes.
  struct Changes: Hashable {
    var value = false
    var state = false
    var freshness = false
  }

  /// Returns what an event would change, since observers are notified before it does.
  func changes(by event: Event) -> Changes {
    var after = self
    _ = after.handle(event)
    return Changes(
      value: after.valueChanges != valueChanges, state: after.state != state,
      freshness: after.freshness != freshness)
  }
}

extension BaseModel {
  /// The state of a ``BaseModel``.
  public enum State: Hashable, Sendable {
    /// Nothing was loaded, and no load runs.
    case neverLoaded
    /// A load runs, decoding included.
    case loading
    /// The value is loaded.
    case loaded
    /// The last load failed. The value, if any, is the previous one.
    case failed(LoadError)
  }
}

extension BaseModel {
  /// The outcome of a load of a ``BaseModel``.
  public enum Outcome {
    /// The value was loaded.
    case loaded(Value)
    /// The load failed.
    case failed(LoadError)
    /// The load was cancelled.
    case cancelled(RequestError.CancelReason)
  }
}
