#if LIBCURL
  internal import Support

  /// Sends requests over libcurl: the transport for programs.
  ///
  /// ```swift
  /// let transport = CurlTransport { $0.proxy = .http("proxy.local:3128") }
  /// let server = Server("https://api.example.com", transport: transport)
  /// ```
  ///
  /// Connections are reused, and HTTP/2 is used if the server supports it. Nothing runs before the first request;
  /// then one thread waits for responses. The thread and the connections end when they are unused for a while, and when
  /// the last reference to the transport is released.
  ///
  /// A child of `fork()` can't use a transport that its parent has used: calls fail with
  /// ``RequestError/Kind/unusable(_:)``, and releasing the transport does not affect the parent. Create a new one
  /// in the child.
  public final class CurlTransport: Transport {
    /// The default transport of every ``Server``.
    public static let shared = CurlTransport()

    /// How connections are made.
    public let configuration: Configuration
    let loop: CurlLoop
    /// The client certificate, or the error of every request.
    private let certificate: Result<LoadedCertificate?, RequestError>

    /// Creates a transport. This reads the files of a client certificate; nothing else happens before the first
    /// request.
    public init(configure: (inout Configuration) -> Void = { _ in }) {
      var configuration = Configuration()
      configure(&configuration)
      self.configuration = configuration
      let files = configuration.clientCertificate
      let contradiction = configuration.contradiction
      certificate = Result { () throws(RequestError) in
        if let contradiction {
          throw RequestError(.invalidRequest(.init(.configuration, contradiction)))
        }
        return try files.map { files throws(RequestError) in try LoadedCertificate(files) }
      }
      loop = CurlLoop(configuration.withCanonicalHosts, try? certificate.get())
    }

    /// A digest of the client certificate.
    public var identity: String? { (try? certificate.get())?.identity }

    deinit { loop.stop() }

    /// Sends a request; see ``Transport/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
      try check()
      try request.checkFields()
      let transfer = CurlTransfer(request, now: MonotonicClock.now())
      if let handle = request.priorityHandle {
        transfer.observer = handle.observe { [loop] _ in loop.send(.prioritize(transfer)) }
      }
      let result = await withTaskCancellationHandler {
        if let mailbox = transfer.mailbox {
          loop.start(transfer)
          return await receive(mailbox, transfer)
        }
        defer { HandOver.didResume(transfer) }
        return await withUnsafeContinuation { continuation in
          transfer.continuation = continuation
          loop.start(transfer)
        }
      } onCancel: {
        cancel(transfer)
      }
      return try result.get()
    }

    /// Runs tasks on the thread of the transport, which meanwhile carries out no transfer. So it is for tasks that
    /// send one request after the other, if nothing else uses the transport.
    package var executor: any TaskExecutor { loop }

    /// Whether its thread is running.
    var hasThread: Bool { loop.hasThread }

    private func cancel(_ transfer: CurlTransfer) {
      transfer.markCancelled()
      loop.send(.cancel(transfer))
    }

    /// Calls the receiver and the progress handler on the caller's task until the exchange has ended.
    private func receive(
      _ mailbox: CurlMailbox, _ transfer: CurlTransfer
    ) async -> Result<HTTPResponse, RequestError> {
      // After the receiver has thrown, the call fails, whatever arrives. The timings are kept.
      var failure: RequestError.Kind?
      while true {
        switch await mailbox.next(resume: { loop.send(.resume(transfer)) }) {
        case .finished(let result):
          guard let failure else { return result }
          switch result {
          case .success(let response):
            return .failure(RequestError(failure, timings: response.timings))
          case .failure(let error): return .failure(RequestError(failure, timings: error.timings))
          }
        case .progress(let progress): transfer.request.progress?(progress)
        case .piece(let piece):
          guard failure == nil, let receiver = transfer.request.receiver else { continue }
          do { try await receiver(piece) } catch {
            failure =
              Task.isCancelled ? .cancelled(.byCaller) : .receiverFailed(String(describing: error))
            cancel(transfer)
          }
        }
      }
    }

    /// Whether the transport belongs to the parent of this process.
    var isForked: Bool { loop.isForked }

    private func check() throws(RequestError) {
      _ = try certificate.get()
      if isForked {
        throw RequestError(
          .unusable("this process is a fork of the one that used the transport; create a new one"))
      }
    }
  }
#endif
