/// A request object: a call, its state, and its outcome.
///
/// ```swift
/// let api = BaseServerAPI(server, "/books", params: ["page": 2])
/// api.start { outcome in … }               // or: switch await api.run() { … }
/// ```
///
/// Every start ends exactly once: with a response, an error, or the reason of its cancellation. Starting
/// again while loading supersedes the older start. Completions run on the main actor, after the state has
/// changed and never inside `start`, `refresh` or `cancel`. Only the calls to this object run on the main
/// actor; the exchange itself runs elsewhere. When the last reference is released, the exchange is cancelled
/// and no completion is called.
///
/// Subclass it to add the common parameters of a service's requests (``prepare(_:)``) and to validate
/// responses (``validate(_:)``). It knows nothing of items and pages.
@MainActor open class BaseServerAPI {
  /// Receives the outcome of a start.
  typealias Completion = @MainActor (BaseServerAPI.Outcome) -> Void
  /// Makes a value of the body of a response. An error that it throws is the failure of the start.
  package typealias Reader = @Sendable (HTTPResponse) throws(RequestError) -> any Sendable

  /// The server.
  public let server: Server
  /// The call of the next start; changes don't affect a start in flight.
  public var call: Call
  /// The response of the last start; `nil` while loading and unless it succeeded.
  public private(set) var response: HTTPResponse?
  /// The error of the last start; `nil` while loading and unless it failed.
  public private(set) var error: RequestError?
  /// The time spent in each phase of the last start, for any outcome.
  public private(set) var timings = HTTPResponse.Timings()

  /// Reads the body of a response off the main actor; without it, bodies are not read.
  package var reader: Reader?
  /// What the reader made of the response of the last start; `nil` while loading and unless it succeeded.
  package private(set) var content: (any Sendable)?

  private var machine = RequestMachine()
  private var running: Task<Void, Never>?
  private var completion: (@MainActor (Outcome) -> Void)?
  private var runningPriority: HTTPRequest.Priority.Handle?
  private var lastCall: Call?
  private var startTime = Duration.zero
  private var decodedText: Result<String, RequestError>?

  /// Creates a request object; nothing is sent before ``start(_:)``.
  public init(
    _ server: Server, _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    headers: HTTPHeaders = [:], body: RequestBody? = nil
  ) {
    self.server = server
    call = Call(address, method: method, params: params, headers: headers, body: body)
  }

  deinit { running?.cancel() }

  /// Adds what all requests of a subclass share. Called with a copy of the call at each start and
  /// refresh; the default does nothing.
  open func prepare(_ call: inout Call) {}

  /// Validates a response that the server's policies have accepted; throwing makes it a failure. The default
  /// accepts every response.
  open func validate(_ response: HTTPResponse) throws(RequestError) {}

  /// The current state.
  public var state: BaseServerAPI.State { machine.state }

  /// The number of results that were dropped, because they arrived after their start was superseded or
  /// cancelled.
  package var discardedResults: Int { machine.discardedResults }

  /// Sends the call and passes the outcome to `completion`. A start in flight ends with
  /// ``RequestError/CancelReason/superseded``.
  public func start(_ completion: (@MainActor (Outcome) -> Void)? = nil) { begin(call, completion) }

  /// Sends the call of the last start again, with its method, address, parameters, fields and body, even if
  /// ``call`` has changed. Before the first start it is the same as ``start(_:)``.
  public func refresh(_ completion: (@MainActor (Outcome) -> Void)? = nil) {
    begin(lastCall ?? call, completion)
  }

  /// Ends a start in flight with ``RequestError/CancelReason/byCaller``; otherwise does nothing.
  public func cancel() {
    if case .cancel(let reason) = machine.handle(.cancel) { abandon(reason) }
  }

  /// Starts and waits for the outcome. Cancelling the waiting task cancels only this start.
  public func run() async -> BaseServerAPI.Outcome {
    guard !Task.isCancelled else { return .cancelled(.byCaller) }
    let generation = machine.generation + 1
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start { continuation.resume(returning: $0) }
      }
    } onCancel: {
      Task { @MainActor in
        if machine.generation == generation { cancel() }
      }
    }
  }

  /// The order in which waiting calls are sent. A change also applies to a start in flight that still waits
  /// for its connection.
  public var priority: HTTPRequest.Priority {
    get { call.priority }
    set {
      call.priority = newValue
      runningPriority?.set(newValue)
    }
  }

  /// The body of the response; `nil` without a response.
  package var responseBody: ResponseBody? { response?.body }

  /// The response as text, decoded once: `nil` without a response, `""` if it is empty. Throws if the body is
  /// invalid in its character set.
  public var text: String? {
    get throws(RequestError) {
      guard let response else { return nil }
      let decoded =
        decodedText ?? Result { () throws(RequestError) in try response.text() }
      decodedText = decoded
      return try decoded.get()
    }
  }

  private func begin(_ call: Call, _ completion: (@MainActor (Outcome) -> Void)?) {
    var prepared = call
    prepare(&prepared)
    let handle = prepared.priorityHandle ?? HTTPRequest.Priority.Handle(prepared.priority)
    prepared.priorityHandle = handle
    if case .cancel(let reason) = machine.handle(.start) { abandon(reason) }
    self.completion = completion
    lastCall = call
    runningPriority = handle
    (response, content, error, decodedText) = (nil, nil, nil, nil)
    timings = HTTPResponse.Timings()
    startTime = server.configuration.time.now()
    running = exchange(prepared, machine.generation)
  }

  /// Runs the exchange. Holds the object weakly, also on the way back to the main actor, so that it can be
  /// released while the exchange runs.
  private func exchange(_ call: Call, _ generation: Int) -> Task<Void, Never> {
    Task { @concurrent [weak self, server, reader] in
      let read = await ReadResponse(of: call, server, reader)
      let ended = server.configuration.time.now()
      await MainActor.run { [weak self] in
        self?.finish(generation, read, of: call.method, at: ended)
      }
    }
  }

  private func abandon(_ reason: RequestError.CancelReason) {
    running?.cancel()
    timings.total = server.configuration.time.now() - startTime
    guard let completion = takeCompletion() else { return }
    // In a task, so that the completion does not run inside the caller's own call.
    Task { @MainActor [weak self] in
      if self != nil { completion(.cancelled(reason)) }
    }
  }

  private func finish(
    _ generation: Int, _ read: ReadResponse, of method: HTTPMethod, at ended: Duration
  ) {
    // A result that is too late needs no validation.
    let result = machine.isRunning(generation) ? validated(read, method) : read.result
    let outcome = BaseServerAPI.Outcome(result, deliver: server.configuration.time.now() - ended)
    guard machine.handle(.end(generation: generation, outcome.ending)) == .deliver else { return }
    switch outcome {
    case .succeeded(let response):
      (self.response, timings) = (response, response.timings)
      content = try? read.content.get()
    case .failed(let error): (self.error, timings) = (error, error.timings)
    case .cancelled: timings.total = ended - startTime
    }
    takeCompletion()?(outcome)
  }

  /// Adds the time that a model took to decode the response, unless another start has begun.
  package func addDecoding(_ time: Duration) {
    guard response != nil else { return }
    response?.timings.addDecoding(time)
    timings.addDecoding(time)
  }

  /// Validates a response that a list received, which follows the rules of this object. Throws its failure.
  package nonisolated func validated(
    _ response: HTTPResponse, to call: Call
  ) async throws(RequestError) -> HTTPResponse {
    let read = ReadResponse(response, to: call, server, await reader)
    return try await validated(read, call.method).get()
  }

  private func validated(
    _ read: ReadResponse, _ method: HTTPMethod
  ) -> Result<HTTPResponse, RequestError> {
    guard case .success(let response) = read.result else { return read.result }
    do throws(RequestError) {
      // For a subclass that validates it.
      let last = content
      content = try? read.content.get()
      defer { content = last }
      // First, since a subclass may know why a body can't be read.
      try validate(response)
      _ = try read.content.get()
      return read.result
    } catch {
      response.removeFromCache()
      var error = error.about(response)
      if error.request.isEmpty { error.request = "\(method) \(Redaction.usual.url(response.url))" }
      return .failure(error)
    }
  }

  /// Releases everything that belongs to the start, and returns its completion to be called once.
  private func takeCompletion() -> (@MainActor (Outcome) -> Void)? {
    defer { (running, completion, runningPriority) = (nil, nil, nil) }
    return completion
  }
}

extension BaseServerAPI {
  /// The address, absolute or relative to the base address of the server.
  public var address: String {
    get { call.address }
    set { call.address = newValue }
  }
  /// The method.
  public var method: HTTPMethod {
    get { call.method }
    set { call.method = newValue }
  }
  /// The parameters.
  public var params: Params {
    get { call.params }
    set { call.params = newValue }
  }
  /// The header fields.
  public var headers: HTTPHeaders {
    get { call.headers }
    set { call.headers = newValue }
  }
  /// The body, if any.
  public var body: RequestBody? {
    get { call.body }
    set { call.body = newValue }
  }
}
