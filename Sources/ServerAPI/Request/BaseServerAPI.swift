/// The request object of one call: what to ask, where it stands, and what came of it.
///
/// ```swift
/// let api = BaseServerAPI(server, "/books", params: ["page": 2])
/// api.start { outcome in … }               // or: switch await api.run() { … }
/// ```
///
/// Every start ends exactly once: with an answer, an error, or the reason why it was ended. Starting
/// again while it is loading supersedes the older start. Completions run on the main actor after the
/// state has changed and never inside `start`, `refresh` or `cancel`. Only the calls into this object
/// happen on the main actor; the exchange itself runs elsewhere. When the last reference goes, the
/// exchange is given up and nothing is told any more.
///
/// Subclass it to give a service's requests their parameters (``prepare(_:)``) and to judge answers
/// (``validate(_:)``). It knows nothing of items and pages.
@MainActor open class BaseServerAPI {
  /// Told how a start ended.
  public typealias Completion = @MainActor (BaseServerAPI.Outcome) -> Void

  /// The service that is asked.
  public let server: Server
  /// What the next start will ask; changes do not touch a start that is under way.
  public var call: Call
  /// The answer of the last start; `nil` while loading and after anything but success.
  public private(set) var response: HTTPResponse?
  /// Why the last start failed; `nil` while loading and after anything but failure.
  public private(set) var error: RequestError?
  /// Where the time of the last start went, whatever its outcome.
  public private(set) var timings = HTTPResponse.Timings()

  private var machine = RequestMachine()
  private var running: Task<Void, Never>?
  private var completion: Completion?
  private var runningPriority: Priority.Handle?
  private var lastCall: Call?
  private var startTime = Duration.zero
  private var decodedText: Result<String, RequestError>?

  /// Describes a call; nothing is sent before ``start(_:)``.
  public init(
    _ server: Server, _ address: String = "", method: HTTPMethod = .get, params: Params = [:],
    headers: HTTPHeaders = [:], body: RequestBody? = nil
  ) {
    self.server = server
    call = Call(address, method: method, params: params, headers: headers, body: body)
  }

  deinit { running?.cancel() }

  /// Adds what all requests of a subclass share. Called on a copy of the call at each start and
  /// each refresh; the default does nothing.
  open func prepare(_ call: inout Call) {}

  /// Judges an answer that passed the rules of the server; throwing makes it a failure. The default
  /// accepts.
  open func validate(_ response: HTTPResponse) throws(RequestError) {}

  /// Where the object stands.
  public var state: BaseServerAPI.State { machine.state }

  /// Results that came after their start had been superseded or cancelled, and were dropped.
  public var discardedResults: Int { machine.discardedResults }

  /// Sends the call and tells `completion` how it ended. A start that is still loading ends with
  /// ``RequestError/CancelReason/superseded``.
  public func start(_ completion: Completion? = nil) { begin(call, completion) }

  /// Sends again what the last start sent: method, address, parameters, fields and body, whatever
  /// ``call`` has become since. Before the first start it is the same as ``start(_:)``.
  public func refresh(_ completion: Completion? = nil) { begin(lastCall ?? call, completion) }

  /// Ends a start that is loading with ``RequestError/CancelReason/byCaller``; otherwise does nothing.
  public func cancel() {
    if case .giveUp(let reason) = machine.handle(.cancel) { giveUp(reason) }
  }

  /// Starts and waits for the outcome. Cancelling the task that waits ends this start, and only this.
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

  /// Which of the waiting calls goes first. A change counts at once, also for a start that is
  /// loading and still waits for its connection.
  public var priority: Priority {
    get { call.priority }
    set {
      call.priority = newValue
      runningPriority?.set(newValue)
    }
  }

  /// The bytes of the answer; `nil` where there is none.
  public var responseBody: ResponseBody? { response?.body }

  /// The answer as text, decoded once and kept: `nil` where there is no answer, `""` where it is
  /// empty. Throws where it is no text in its character set.
  public var text: String? {
    get throws(RequestError) {
      guard let response else { return nil }
      let decoded =
        decodedText ?? Result { () throws(RequestError) in try response.text() }
      decodedText = decoded
      return try decoded.get()
    }
  }

  private func begin(_ call: Call, _ completion: Completion?) {
    var prepared = call
    prepare(&prepared)
    let handle = prepared.priorityHandle ?? Priority.Handle(prepared.priority)
    prepared.priorityHandle = handle
    if case .giveUp(let reason) = machine.handle(.start) { giveUp(reason) }
    self.completion = completion
    lastCall = call
    runningPriority = handle
    (response, error, decodedText, timings) = (nil, nil, nil, HTTPResponse.Timings())
    startTime = server.configuration.time.now()
    running = exchange(prepared, machine.generation)
  }

  /// Holds the object weakly, and again for the way back to the main actor, so that it can go while
  /// the exchange runs.
  private func exchange(_ call: Call, _ generation: Int) -> Task<Void, Never> {
    Task { @concurrent [weak self, server] in
      let result: Result<HTTPResponse, RequestError>
      do throws(RequestError) {
        result = .success(try await server.send(call))
      } catch {
        result = .failure(error)
      }
      let ended = server.configuration.time.now()
      await MainActor.run { [weak self] in self?.finish(generation, call.method, result, ended) }
    }
  }

  private func giveUp(_ reason: RequestError.CancelReason) {
    running?.cancel()
    timings.total = server.configuration.time.now() - startTime
    guard let completion = release() else { return }
    // Later, so that the caller is not called back from inside its own call.
    Task { @MainActor [weak self] in
      if self != nil { completion(.cancelled(reason)) }
    }
  }

  private func finish(
    _ generation: Int, _ method: HTTPMethod, _ result: Result<HTTPResponse, RequestError>,
    _ ended: Duration
  ) {
    // What is too late is not worth a look.
    let result = machine.isRunning(generation) ? judged(result, method) : result
    let outcome = BaseServerAPI.Outcome(result, deliver: server.configuration.time.now() - ended)
    guard machine.handle(.end(generation: generation, outcome.ending)) == .deliver else { return }
    switch outcome {
    case .succeeded(let response): (self.response, timings) = (response, response.timings)
    case .failed(let error): (self.error, timings) = (error, error.timings)
    case .cancelled: timings.total = ended - startTime
    }
    release()?(outcome)
  }

  /// Adds the time that a model took to decode the response, unless another start has begun.
  package func addDecoding(_ time: Duration) {
    guard response != nil else { return }
    response?.timings.addDecoding(time)
    timings.addDecoding(time)
  }

  private func judged(
    _ result: Result<HTTPResponse, RequestError>, _ method: HTTPMethod
  ) -> Result<HTTPResponse, RequestError> {
    guard case .success(let response) = result else { return result }
    do throws(RequestError) {
      try validate(response)
      return result
    } catch {
      var error = error.about(response)
      if error.request.isEmpty { error.request = "\(method) \(Redaction.usual.url(response.url))" }
      return .failure(error)
    }
  }

  /// Lets go of all that belongs to a start; what it leaves is to be called once.
  private func release() -> Completion? {
    defer { (running, completion, runningPriority) = (nil, nil, nil) }
    return completion
  }
}

extension BaseServerAPI {
  /// The address, relative to the base of the server or absolute.
  public var address: String {
    get { call.address }
    set { call.address = newValue }
  }
  /// The verb.
  public var method: HTTPMethod {
    get { call.method }
    set { call.method = newValue }
  }
  /// The parameters.
  public var params: Params {
    get { call.params }
    set { call.params = newValue }
  }
  /// The fields.
  public var headers: HTTPHeaders {
    get { call.headers }
    set { call.headers = newValue }
  }
  /// What to send.
  public var body: RequestBody? {
    get { call.body }
    set { call.body = newValue }
  }
}
