public import ItemMapping
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
  public typealias Completion = @MainActor (Outcome) -> Void

  /// The request object: address, method, fields, body, timings. Subclass that to add what a service's
  /// requests share.
  public let api: BaseServerAPI

  /// Whether loads take what the server's cache has, ask the server, or do both. What the call itself says
  /// (``Call/cache``) goes before it. Counts from the next load on.
  public var cachePolicy = CachePolicy.standard

  private var machine = ModelMachine<Value, Completion>()
  private var decoding: Task<Void, Never>?
  private let decode: @Sendable (HTTPResponse) throws(LoadError) -> sending Value
  private let registrar = ObservationRegistrar()

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
    return machine.value
  }

  /// Where it stands.
  public var state: State {
    registrar.access(self, keyPath: \.state)
    return machine.state
  }

  /// What is known of the age of the value.
  public var freshness: Freshness {
    registrar.access(self, keyPath: \.freshness)
    return machine.freshness
  }

  /// The parameters of the request. Setting others ends a load that is under way and lets go of the
  /// value, which belongs to the old ones.
  public var params: Params {
    get { api.params }
    set {
      guard newValue != api.params else { return }
      api.params = newValue
      happen(.reset)
    }
  }

  /// Loads the value, or loads it again, and tells `completion` how that ended.
  public func load(_ completion: Completion? = nil) {
    happen(
      .load(
        completion,
        .init(
          policy: cachePolicy, usual: api.server.configuration.cacheMode,
          hasStore: api.server.cache != nil, isSaidByCall: api.call.cache != nil)))
  }

  /// Loads and waits for the outcome. Cancelling the task that waits ends the load for all who wait.
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

  /// Ends a load that is under way.
  public func cancel() { happen(.cancel) }

  /// Lets the machine decide, and does what it wants.
  private func happen(_ event: ModelMachine<Value, Completion>.Event) {
    for effect in decide(event) {
      switch effect {
      case .send(let load, let mode): send(load, mode)
      case .decode(let load, let response): beginDecoding(response, load)
      case .noteDecoding(let time):
        decoding = nil
        api.addDecoding(time)
      case .apply(let load, let value):
        didApply(value)
        happen(.applied(load: load))
      case .finish(let completions, let outcome):
        for completion in completions { completion(outcome) }
      case .giveUp(let completions, let reason):
        api.cancel()
        decoding?.cancel()
        decoding = nil
        Task { @MainActor in
          for completion in completions { completion(.cancelled(reason)) }
        }
      }
    }
  }

  /// Observers are notified before and after, of what really changes. One of them may call in at once, so
  /// the event is decided where that has led.
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
    api.start { [weak self] outcome in self?.happen(.responded(load: load, outcome)) }
    api.call.cache = own
  }

  private func beginDecoding(_ response: HTTPResponse, _ load: Int) {
    decoding = Task { [weak self, decode, time = api.server.configuration.time] in
      let decoded = await Self.decoded(response, decode, time)
      self?.happen(
        .decoded(
          load: load, decoded.result, took: decoded.time, at: time.secondsSince1970()))
    }
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
}

extension BaseModel {
  /// A value with a table.
  ///
  /// - Parameters:
  ///   - api: The request.
  ///   - path: Where in the JSON of the answer the value is.
  ///   - mapper: The rules.
  public convenience init(
    _ api: BaseServerAPI, at path: JSONPath = .root, mapper: ItemMapper = ItemMapper()
  ) where Value: JSONValue {
    self.init(api) { response throws(LoadError) in
      do throws(MappingError) {
        return try mapper.item(Value.self, in: response.document(), at: path).value
      } catch {
        throw .mapping(error)
      }
    }
  }

  /// A `Decodable` value.
  ///
  /// - Parameters:
  ///   - api: The request.
  ///   - path: Where in the JSON of the answer the value is.
  ///   - decoder: How the type's values are written.
  public convenience init(
    _ api: BaseServerAPI, at path: JSONPath = .root, decoder: ItemDecoder = ItemDecoder()
  ) where Value: Decodable & SendableMetatype {
    self.init(api) { response throws(LoadError) in
      let place: JSONView
      do throws(MappingError) {
        place = try response.document().view(at: path)
      } catch {
        throw .mapping(error)
      }
      do {
        return try decoder.decode(Value.self, from: place)
      } catch {
        throw LoadError(refusal: error)
      }
    }
  }
}
