public import ServerAPI

/// Decides what one event means for a ``BaseModel``.
///
/// Each load has a number. What belongs to another load than the one under way changes nothing, however
/// late it comes. The machine has no clock, no task and no network: it takes an event and returns what
/// its owner has to do, in this order. A waiter is whatever the owner has to call when a load ends.
struct ModelMachine<Value, Waiter> {
  enum Event {
    /// Somebody wants the value, who joins the load under way if there is one.
    case load(Waiter?, Caching)
    /// The request of a load ended.
    case responded(load: Int, BaseServerAPI.Outcome)
    /// The response to a load was decoded, which took that long and ended at that moment, in seconds since
    /// 1970.
    case decoded(load: Int, Result<Value, LoadError>, took: Duration, at: Double)
    /// A subclass has worked with the value.
    case applied(load: Int)
    /// Somebody wants the load to end.
    case cancel
    /// Something else is asked for from now on.
    case reset
  }

  enum Effect {
    /// Send the request; without a mode, it uses the cache as the call says.
    case send(load: Int, CacheMode?)
    /// Decode the response.
    case decode(load: Int, HTTPResponse)
    /// Note how long decoding took, which is over.
    case noteDecoding(Duration)
    /// Let a subclass work with the value, and say when it has.
    case apply(load: Int, Value)
    /// Tell those who waited how the load ended.
    case finish([Waiter], BaseModel<Value>.Outcome)
    /// Give up what is under way. Those who waited are told in a moment, and not inside the call that
    /// caused it.
    case giveUp([Waiter], RequestError.CancelReason)
  }

  /// What there is to know of caches when a load begins.
  struct Caching {
    var policy = CachePolicy.standard
    /// What the server's configuration says.
    var usual = CacheMode.standard
    /// Whether the server has a cache that could be shown first.
    var hasStore = false
    /// Whether the call itself says how it uses the cache, which goes before all else.
    var isSaidByCall = false
  }

  /// What the load under way waits for, and how the server is asked afterwards where this is about a
  /// stored value that is shown before.
  private enum Step {
    case response(next: CacheMode?)
    case value(HTTPResponse.Source, next: CacheMode?)
    case subclass(next: CacheMode)
  }

  private enum Phase {
    /// Nothing is under way; the last load failed for this reason, if it did.
    case resting(LoadError?)
    case loading(Step, waiters: [Waiter])
  }

  /// The value that came last.
  private(set) var value: Value?
  private var phase = Phase.resting(nil)
  private var record = FreshnessRecord()
  /// The number of the latest load; `0` before the first.
  private var lastLoad = 0
  /// How often a value came or went.
  private var turnover = 0

  var state: BaseModel<Value>.State {
    switch phase {
    case .loading: .loading
    case .resting(let error?): .failed(error)
    case .resting(nil): value == nil ? .neverLoaded : .loaded
    }
  }

  var freshness: Freshness { record.freshness }

  /// The number of the load under way.
  var load: Int? {
    if case .loading = phase { lastLoad } else { nil }
  }

  /// The number of the load that whoever asks now would wait for.
  var nextLoad: Int { load ?? lastLoad + 1 }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .load(let waiter, let caching): return load(waiter, caching)
    case .responded(let load, let outcome):
      guard case .loading(.response(let next), let waiters) = phase(of: load) else { return [] }
      return responded(outcome, next, waiters)
    case .decoded(let load, let result, let time, let moment):
      guard case .loading(.value(let source, let next), let waiters) = phase(of: load) else {
        return []
      }
      let effects =
        switch result {
        case .success(let value): came(value, source, moment, next, waiters)
        case .failure(let error): failed(error, next, waiters)
        }
      return [.noteDecoding(time)] + effects
    case .applied(let load):
      guard case .loading(.subclass(let next), let waiters) = phase(of: load) else { return [] }
      return ask(next, waiters)
    case .cancel: return end(.byCaller)
    case .reset:
      let effects = end(.superseded)
      phase = .resting(nil)
      if value != nil { replace(nil) }
      record.forget()
      return effects
    }
  }

  /// The phase, as far as a load is the one that it is about.
  private func phase(of load: Int) -> Phase? { load == lastLoad ? phase : nil }

  private mutating func load(_ waiter: Waiter?, _ caching: Caching) -> [Effect] {
    let waiting = waiter.map { [$0] } ?? []
    if case .loading(let step, let waiters) = phase {
      phase = .loading(step, waiters: waiters + waiting)
      return []
    }
    lastLoad += 1
    let use = caching.policy.use(for: value == nil ? .first : .refresh, usual: caching.usual)
    if caching.isSaidByCall { return ask(nil, waiting) }
    guard use.showsStored, caching.hasStore else { return ask(use.mode, waiting) }
    phase = .loading(.response(next: use.mode), waiters: waiting)
    return [.send(load: lastLoad, .cacheOnly)]
  }

  /// Asks for the value that ends the load.
  private mutating func ask(_ mode: CacheMode?, _ waiters: [Waiter]) -> [Effect] {
    phase = .loading(.response(next: nil), waiters: waiters)
    return [.send(load: lastLoad, mode)]
  }

  private mutating func responded(
    _ outcome: BaseServerAPI.Outcome, _ next: CacheMode?, _ waiters: [Waiter]
  ) -> [Effect] {
    switch outcome {
    case .succeeded(let response):
      // A response of the server ends the load, whoever saw to it that it was asked.
      let next = response.source.isCache ? next : nil
      phase = .loading(.value(response.source, next: next), waiters: waiters)
      return [.decode(load: lastLoad, response)]
    case .failed(let error): return failed(.request(error), next, waiters)
    case .cancelled(let reason):
      phase = .resting(nil)
      return [.finish(waiters, .cancelled(reason))]
    }
  }

  private mutating func came(
    _ value: Value, _ source: HTTPResponse.Source, _ moment: Double, _ next: CacheMode?,
    _ waiters: [Waiter]
  ) -> [Effect] {
    replace(value)
    record.begin(with: source, asOf: source.cachedSince ?? moment)
    if let next {
      phase = .loading(.subclass(next: next), waiters: waiters)
      return [.apply(load: lastLoad, value)]
    }
    phase = .resting(nil)
    return [.apply(load: lastLoad, value), .finish(waiters, .loaded(value))]
  }

  /// What is stored and can't be shown is as good as nothing.
  private mutating func failed(
    _ error: LoadError, _ next: CacheMode?, _ waiters: [Waiter]
  ) -> [Effect] {
    if let next { return ask(next, waiters) }
    record.failed(error)
    phase = .resting(error)
    return [.finish(waiters, .failed(error))]
  }

  private mutating func end(_ reason: RequestError.CancelReason) -> [Effect] {
    guard case .loading(_, let waiters) = phase else { return [] }
    phase = .resting(nil)
    return [.giveUp(waiters, reason)]
  }

  private mutating func replace(_ value: Value?) {
    self.value = value
    turnover += 1
  }
}

extension ModelMachine {
  /// What observers can see of a change.
  struct Changes: Hashable {
    var value = false
    var state = false
    var freshness = false
  }

  /// What an event would change, for observers that have to be notified before it does.
  func changes(by event: Event) -> Changes {
    var after = self
    _ = after.handle(event)
    return Changes(
      value: after.turnover != turnover, state: after.state != state,
      freshness: after.freshness != freshness)
  }
}

extension BaseModel {
  /// Where a ``BaseModel`` stands.
  public enum State: Hashable, Sendable {
    /// No value has come, and none is on its way.
    case neverLoaded
    /// A load is under way, decoding included.
    case loading
    /// The value is there.
    case loaded
    /// The last load failed; the value, if any, is that of before.
    case failed(LoadError)
  }
}

extension BaseModel {
  /// How a load of a ``BaseModel`` ended.
  public enum Outcome {
    /// The value came.
    case loaded(Value)
    /// It did not.
    case failed(LoadError)
    /// It was ended on purpose.
    case cancelled(RequestError.CancelReason)
  }
}
