public import ItemMapping
public import ListReading
public import Observation
public import ServerAPI

/// A model that loads one value from one address, such as for a details screen.
///
/// ```swift
/// let book = BaseModel<Book>(BaseServerAPI(server, "/books/1"), at: "data")
/// book.load { outcome in … }              // or: switch await book.run() { … }
/// ```
///
/// - Loads: every load ends exactly once, when its value is decoded or the load fails. A load during
///   another load joins it; after a call that may change a resource, the value is requested once more. A failure keeps
///   the previous value.
/// - Isolation: everything runs on the main actor, except decoding. Completions are called in the order
///   in which they were passed, after the state has changed and never inside a call.
/// - Lifetime: when the last reference is released, the request is cancelled and nothing is notified.
///
/// It doesn't retry, cache or keep values on disk: ``Server`` retries and caches.
///
/// Subclass it to work with each value (``didApply(_:)``).
@MainActor open class BaseModel<Value>: Observable {
  /// Called with the outcome of a load.
  typealias Completion = @MainActor (Outcome) -> Void

  /// The request object: address, method, headers, body, timings. Subclass it to add what all requests of a
  /// service share.
  public let api: BaseServerAPI

  /// Whether loads use the server's cache, the network, or both. The policy of the call
  /// (``Call/cache``) takes precedence. A change applies from the next load on.
  public var cachePolicy = CachePolicy.standard

  /// Called with the outcome of every load, after the completion of the load itself.
  public var completion: (@MainActor (Outcome) -> Void)?

  private var machine = ModelMachine<Value, Completion>()
  private var decoding: Task<Void, Never>?
  /// The writes of the server when the last request was sent.
  private var writes = 0
  private let decode: @Sendable (HTTPResponse) throws(LoadError) -> sending Value
  /// Reads the value from JSON that the request object has parsed; `nil` for other formats.
  private var read: (@Sendable (JSONDocument) throws(LoadError) -> sending Value)?
  private let registrar = ObservationRegistrar()

  /// Creates a model that decodes responses with a closure.
  public init(
    _ api: BaseServerAPI,
    decode: @escaping @Sendable (HTTPResponse) throws(LoadError) -> sending Value
  ) {
    self.api = api
    self.decode = decode
  }

  deinit { decoding?.cancel() }

  /// Called with each new value, before completions are called. The default does nothing.
  open func didApply(_ value: Value) {}

  /// The value of the last successful load.
  public var value: Value? {
    registrar.access(self, keyPath: \.value)
    return machine.value
  }

  /// The state of the model.
  public var state: State {
    registrar.access(self, keyPath: \.state)
    return machine.state
  }

  /// The age of the value, as far as it is known.
  public var freshness: Freshness {
    registrar.access(self, keyPath: \.freshness)
    return machine.freshness
  }

  /// The parameters of the request. A change cancels the running load and discards the value, which
  /// belongs to the previous parameters.
  public var params: Params {
    get { api.params }
    set {
      guard newValue != api.params else { return }
      api.params = newValue
      handle(.reset)
    }
  }

  /// Loads or reloads the value, and calls `completion` with the outcome.
  public func load(_ completion: (@MainActor (Outcome) -> Void)? = nil) {
    handle(
      .load(
        completion,
        .init(
          policy: cachePolicy, usual: api.server.configuration.cacheMode,
          hasStore: api.server.cache != nil, isSetByCall: api.call.cache != nil),
        isOutdated: writes != api.server.writes && !api.call.mayChangeResource))
  }

  /// Loads the value and returns the outcome. Cancelling the waiting task cancels the load for all who wait.
  public func run() async -> Outcome {
    var ended: Outcome?
    let mine = machine.nextLoad
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        load {
          ended = $0
          continuation.resume()
        }
      }
    } onCancel: {
      Task { @MainActor in
        if machine.load == mine { cancel() }
      }
    }
    return ended ?? .cancelled(.ownerGone)
  }

  /// Cancels the running load.
  public func cancel() { handle(.cancel) }

  /// Passes an event to the machine and performs its effects.
  private func handle(_ event: ModelMachine<Value, Completion>.Event) {
    for effect in decide(event) {
      switch effect {
      case .send(let load, let mode): send(load, mode)
      case .decode(let load, let response): beginDecoding(response, load)
      case .noteDecoding(let time):
        decoding = nil
        api.addDecoding(time)
      case .apply(let load, let value):
        didApply(value)
        handle(.applied(load: load))
      case .finish(let completions, let outcome):
        for completion in completions { completion(outcome) }
        completion?(outcome)
      case .abandon(let completions, let reason):
        api.cancel()
        decoding?.cancel()
        decoding = nil
        Task { @MainActor [weak self] in
          for completion in completions { completion(.cancelled(reason)) }
          self?.completion?(.cancelled(reason))
        }
      }
    }
  }

  /// Notifies observers before and after, of properties that really change. An observer may call the model
  /// at once, so the event is handled in the state after that.
  private func decide(
    _ event: ModelMachine<Value, Completion>.Event
  ) -> [ModelMachine<Value, Completion>.Effect] {
    let changes = machine.changes(by: event)
    if changes.value { registrar.willSet(self, keyPath: \.value) }
    if changes.state { registrar.willSet(self, keyPath: \.state) }
    if changes.freshness { registrar.willSet(self, keyPath: \.freshness) }
    defer {
      if changes.value { registrar.didSet(self, keyPath: \.value) }
      if changes.state { registrar.didSet(self, keyPath: \.state) }
      if changes.freshness { registrar.didSet(self, keyPath: \.freshness) }
    }
    return machine.handle(event)
  }

  private func send(_ load: Int, _ mode: CacheMode?) {
    let own = api.call.cache
    api.call.cache = mode ?? own
    writes = api.server.writes
    api.call.writes = writes
    api.start { [weak self] outcome in self?.handle(.responded(load: load, outcome)) }
    api.call.cache = own
  }

  private func beginDecoding(_ response: HTTPResponse, _ load: Int) {
    let json = api.json
    decoding = Task { [weak self, decode, read, time = api.server.configuration.time] in
      let decoded = await Self.decoded(time) { () throws(LoadError) in
        try response.read { response throws(LoadError) in
          if let read, let json { return try read(json) }
          return try decode(response)
        }
      }
      self?.handle(
        .decoded(
          load: load, decoded.result, took: decoded.time, at: time.secondsSince1970()))
    }
  }

  /// The result of decoding a response, and its duration.
  private struct Decoded {
    let result: Result<Value, LoadError>
    let time: Duration
  }

  @concurrent
  private nonisolated static func decoded(
    _ time: TimeSource, _ decode: @Sendable () throws(LoadError) -> sending Value
  ) async -> sending Decoded {
    let start = time.now()
    do throws(LoadError) {
      let value = try decode()
      return Decoded(result: .success(value), time: time.now() - start)
    } catch {
      return Decoded(result: .failure(error), time: time.now() - start)
    }
  }
}

extension BaseModel {
  /// Creates a model of a value with a table.
  ///
  /// - Parameters:
  ///   - api: The request.
  ///   - path: The path of the value in the JSON of the response.
  ///   - mapper: The mapping rules.
  public convenience init(
    _ api: BaseServerAPI, at path: JSONPath = .root, mapper: ItemMapper = ItemMapper()
  ) where Value: JSONValue {
    self.init(
      api,
      read: { document throws(LoadError) in
        try document.mapped(Value.self, at: path, by: mapper).value
      })
  }

  /// Creates a model of a `Decodable` value.
  ///
  /// - Parameters:
  ///   - api: The request.
  ///   - path: The path of the value in the JSON of the response.
  ///   - decoder: The formats of dates, data and other values.
  public convenience init(
    _ api: BaseServerAPI, at path: JSONPath = .root, decoder: ItemDecoder = ItemDecoder()
  ) where Value: Decodable & SendableMetatype {
    self.init(
      api,
      read: { document throws(LoadError) in
        try document.decoded(Value.self, at: path, by: decoder)
      })
  }

  /// Creates a model of a value with a table that is also `Decodable`: it is mapped. Pass a `decoder` to
  /// decode it.
  public convenience init(_ api: BaseServerAPI, at path: JSONPath = .root)
  where Value: JSONValue & Decodable {
    self.init(api, at: path, mapper: ItemMapper())
  }

  /// Creates a model that reads JSON, which is parsed once.
  convenience init(
    _ api: BaseServerAPI,
    read: @escaping @Sendable (JSONDocument) throws(LoadError) -> sending Value
  ) {
    self.init(api, decode: { response throws(LoadError) in try read(response.json) })
    self.read = read
  }
}
