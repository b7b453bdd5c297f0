public import Observation
public import ServerAPI

/// One value from one address: what a screen of details shows.
///
/// ```swift
/// let book = BaseModel<Book>(BaseServerAPI(server, "/books/1"), at: "data")
/// book.load { outcome in … }              // or: switch await book.run() { … }
/// ```
///
/// Every load ends exactly once. Loads that are asked for while one is under way join it. It is under
/// way until its value is there, decoding included; a failure keeps the value of before. Completions run
/// on the main actor, in the order in which they were given, after the state has changed and never inside
/// a call. When the last reference goes, the request is given up and nothing is told any more.
///
/// Subclass it to work with each value (``didApply(_:)``).
@MainActor open class BaseModel<Value>: Observable {
  /// Told how a load ended.
  public typealias Completion = @MainActor (ModelOutcome<Value>) -> Void

  /// The request object: address, method, fields, body, timings. Subclass that to add what a service's
  /// requests share.
  public let api: BaseServerAPI

  /// Whether loads take what the server's cache has, ask the server, or do both. What the call itself says
  /// (``Call/cache``) goes before it. Counts from the next load on.
  public var cachePolicy = CachePolicy.standard

  private var loaded: Value?
  private var record = FreshnessRecord()
  private var machineState = ModelState.neverLoaded
  private let decode: @Sendable (HTTPResponse) throws(LoadError) -> sending Value
  private let registrar = ObservationRegistrar()
  /// The load under way has this number; whatever belongs to an older one is dropped.
  private var generation = 0
  private var decoding: Task<Void, Never>?
  private var completions: [Completion] = []

  /// A value made of an answer in a way of its own.
  public init(
    _ api: BaseServerAPI,
    decode: @escaping @Sendable (HTTPResponse) throws(LoadError) -> sending Value
  ) {
    self.api = api
    self.decode = decode
  }

  deinit { decoding?.cancel() }

  /// Called when a value is there, before anybody is told. The default does nothing.
  open func didApply(_ value: Value) {}

  /// The value that came last.
  public var value: Value? {
    registrar.access(self, keyPath: \.value)
    return loaded
  }

  /// Where it stands.
  public var state: ModelState {
    registrar.access(self, keyPath: \.state)
    return machineState
  }

  /// What is known of the age of the value.
  public var freshness: Freshness {
    registrar.access(self, keyPath: \.freshness)
    return record.freshness
  }

  /// The parameters of the request. Setting others ends a load that is under way and lets go of the
  /// value, which belongs to the old ones.
  public var params: Params {
    get { api.params }
    set {
      guard newValue != api.params else { return }
      api.params = newValue
      end(.superseded)
      registrar.withMutation(of: self, keyPath: \.value) { loaded = nil }
      note { $0.forget() }
      become(.neverLoaded)
    }
  }

  /// Loads the value, or loads it again, and tells `completion` how that ended.
  public func load(_ completion: Completion? = nil) {
    if let completion { completions.append(completion) }
    guard machineState != .loading else { return }
    generation += 1
    become(.loading)
    let use = cachePolicy.use(
      for: loaded == nil ? .first : .refresh, usual: api.server.configuration.cacheMode)
    guard api.call.cache == nil else { return start(generation, nil) }
    if use.showsStored, api.server.cache != nil {
      start(generation, .cacheOnly, thenAsking: use.mode)
    } else {
      start(generation, use.mode)
    }
  }

  /// Sends the request.
  ///
  /// - Parameters:
  ///   - generation: The load it belongs to.
  ///   - mode: How it uses the cache; `nil` for what the call says.
  ///   - next: How the server is asked when this has shown what is stored.
  private func start(
    _ generation: Int, _ mode: CacheMode?, thenAsking next: CacheMode? = nil
  ) {
    let own = api.call.cache
    api.call.cache = mode ?? own
    api.start { [weak self] outcome in self?.answered(outcome, generation, thenAsking: next) }
    api.call.cache = own
  }

  /// Loads and waits for the outcome. Cancelling the task that waits ends the load for all who wait.
  public func run() async -> ModelOutcome<Value> {
    var ended: ModelOutcome<Value>?
    let mine = machineState == .loading ? generation : generation + 1
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        load {
          ended = $0
          continuation.resume()
        }
      }
    } onCancel: {
      Task { @MainActor in
        if generation == mine { cancel() }
      }
    }
    return ended ?? .cancelled(.ownerGone)
  }

  /// Ends a load that is under way.
  public func cancel() { end(.byCaller) }

  private func become(_ state: ModelState) {
    registrar.withMutation(of: self, keyPath: \.state) { machineState = state }
  }

  private func answered(
    _ outcome: RequestOutcome, _ generation: Int, thenAsking next: CacheMode?
  ) {
    guard generation == self.generation, machineState == .loading else { return }
    switch outcome {
    case .succeeded(let response):
      // An answer of the server is no preview, whoever saw to it that it was asked.
      let next = response.source.isCache ? next : nil
      decoding = Task { [weak self, decode, time = api.server.configuration.time] in
        let decoded = await Self.decoded(response, decode, time)
        self?.decoded(decoded, response.source, generation, thenAsking: next)
      }
    case .failed(let error): failed(.request(error), generation, thenAsking: next)
    case .cancelled(let reason): finish(.cancelled(reason), generation)
    }
  }

  private func decoded(
    _ decoded: Decoded, _ source: ResponseSource, _ generation: Int, thenAsking next: CacheMode?
  ) {
    guard generation == self.generation, machineState == .loading else { return }
    api.addDecoding(decoded.time)
    switch decoded.result {
    case .success(let value): came(value, source, generation, thenAsking: next)
    case .failure(let error): failed(error, generation, thenAsking: next)
    }
  }

  private func came(
    _ value: Value, _ source: ResponseSource, _ generation: Int, thenAsking next: CacheMode?
  ) {
    guard generation == self.generation, machineState == .loading else { return }
    decoding = nil
    registrar.withMutation(of: self, keyPath: \.value) { loaded = value }
    let moment =
      if case .cache(let moment, _) = source { moment } else {
        api.server.configuration.time.secondsSince1970()
      }
    note { $0.begin(with: source, asOf: moment) }
    guard let next else { return finish(.loaded(value), generation) }
    didApply(value)
    guard generation == self.generation, machineState == .loading else { return }
    start(generation, next)
  }

  /// What is stored and can't be shown is as good as nothing.
  private func failed(_ error: LoadError, _ generation: Int, thenAsking next: CacheMode?) {
    guard generation == self.generation, machineState == .loading else { return }
    if let next { return start(generation, next) }
    note { $0.failed(error) }
    finish(.failed(error), generation)
  }

  private func note(_ change: (inout FreshnessRecord) -> Void) {
    var changed = record
    change(&changed)
    guard changed != record else { return }
    registrar.withMutation(of: self, keyPath: \.freshness) { record = changed }
  }

  /// What became of a response, and how long that took.
  private struct Decoded {
    let result: Result<Value, LoadError>
    let time: Duration
  }

  @concurrent
  private nonisolated static func decoded(
    _ response: HTTPResponse,
    _ decode: @Sendable (HTTPResponse) throws(LoadError) -> sending Value, _ time: TimeSource
  ) async -> sending Decoded {
    let start = time.now()
    do throws(LoadError) {
      let value = try decode(response)
      return Decoded(result: .success(value), time: time.now() - start)
    } catch {
      return Decoded(result: .failure(error), time: time.now() - start)
    }
  }

  private func finish(_ outcome: ModelOutcome<Value>, _ generation: Int) {
    guard generation == self.generation, machineState == .loading else { return }
    decoding = nil
    let completions = takeCompletions()
    switch outcome {
    case .loaded(let value):
      become(.loaded)
      didApply(value)
    case .failed(let error): become(.failed(error))
    case .cancelled: become(loaded == nil ? .neverLoaded : .loaded)
    }
    for completion in completions { completion(outcome) }
  }

  /// Ends what is under way; who waits is told later, not from inside the caller's call.
  private func end(_ reason: RequestError.CancelReason) {
    guard machineState == .loading else { return }
    generation += 1
    api.cancel()
    decoding?.cancel()
    decoding = nil
    become(loaded == nil ? .neverLoaded : .loaded)
    let completions = takeCompletions()
    Task { @MainActor in
      for completion in completions { completion(.cancelled(reason)) }
    }
  }

  private func takeCompletions() -> [Completion] {
    defer { completions = [] }
    return completions
  }
}

/// Where a ``BaseModel`` stands.
public enum ModelState: Hashable, Sendable {
  /// No value has come, and none is on its way.
  case neverLoaded
  /// A load is under way, decoding included.
  case loading
  /// The value is there.
  case loaded
  /// The last load failed; the value, if any, is that of before.
  case failed(LoadError)
}

/// How a load of a ``BaseModel`` ended.
public enum ModelOutcome<Value> {
  /// The value came.
  case loaded(Value)
  /// It did not.
  case failed(LoadError)
  /// It was ended on purpose.
  case cancelled(RequestError.CancelReason)
}
