internal import Support

/// Carries requests over libcurl: the transport for programs.
///
/// ```swift
/// let transport = CurlTransport { $0.proxy = .http("proxy.local:3128") }
/// let server = Server("https://api.example.com", transport: transport)
/// ```
///
/// Connections are kept and used again, HTTP/2 is spoken where the server does. Nothing runs before
/// the first request; one thread does the work after it. The thread and the connections go away when
/// they are not used for a while, and when the last reference to the transport is gone.
///
/// A child of `fork()` can't use a transport that its parent has used: calls fail with
/// ``RequestError/Kind/unusable(_:)``, and letting go of it does nothing to the parent. Make a new one in
/// the child.
public final class CurlTransport: Transport {
  /// Serves every ``Server`` that names no other transport.
  public static let shared = CurlTransport()

  /// How connections are made.
  public let configuration: Configuration
  let loop: CurlLoop
  /// The client certificate, or why no request can be sent.
  private let certificate: Result<LoadedCertificate?, RequestError>

  /// Describes a transport; costs nothing until the first request, except that the files of a client
  /// certificate are read here.
  public init(configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration()
    configure(&configuration)
    self.configuration = configuration
    let files = configuration.tls.clientCertificate
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

  deinit { loop.send(.stop) }

  /// Sends a request; see ``Transport/send(_:)``.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    try check()
    try request.checkFields()
    let transfer = CurlTransfer(request, now: MonotonicClock.now())
    if let handle = request.priorityHandle {
      handle.observe { [loop] in loop.send(.prioritize(transfer, $0)) }
    }
    let result = await withTaskCancellationHandler {
      if let mailbox = transfer.mailbox {
        loop.send(.start(transfer))
        return await receive(mailbox, transfer)
      }
      defer { HandOver.ended(transfer) }
      return await withUnsafeContinuation { continuation in
        transfer.continuation = continuation
        loop.send(.start(transfer))
      }
    } onCancel: {
      cancel(transfer)
    }
    return try result.get()
  }

  /// Whether its thread runs now.
  var hasThread: Bool { loop.hasThread }

  private func cancel(_ transfer: CurlTransfer) {
    transfer.markCancelled()
    loop.send(.cancel(transfer))
  }

  /// Feeds receiver and progress handler on the caller's task until the exchange is over.
  private func receive(
    _ mailbox: CurlMailbox, _ transfer: CurlTransfer
  ) async -> Result<HTTPResponse, RequestError> {
    // Once the receiver has thrown, nothing that arrives makes the call a success. Its timings stay.
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
        .unusable("this process is a fork of the one that used the transport; make a new one"))
    }
  }
}
