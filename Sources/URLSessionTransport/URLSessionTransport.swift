#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import Foundation
  public import ServerAPI
  internal import Support

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// Sends requests over Foundation's `URLSession`: the network stack of the system, with its proxies, its VPN and App
  /// Transport Security.
  ///
  /// Redirects, cookies, credentials, caching and retries are decided by the ``Quire/Server``, as with every transport: the
  /// session follows no redirect, stores nothing and responds to no challenge. The limits of size and time of a request are
  /// enforced here. ``/URLSessionTransport`` lists what a session can't do, and what happens then.
  public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// Creates a transport with its own session, which is invalidated with it.
    ///
    /// - Parameter connectionsPerHost: The maximum number of concurrent requests to a host over HTTP/1.1. The default is 6.
    public init(connectionsPerHost: Int = 6) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.httpCookieAcceptPolicy = .never
      configuration.httpShouldSetCookies = false
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpMaximumConnectionsPerHost = connectionsPerHost
      #if !canImport(FoundationNetworking)
        // A device without a network is an error at once: the program decides whether to wait, and cached rows are shown
        // meanwhile.
        configuration.waitsForConnectivity = false
      #endif
      delegate = SessionDelegate(connectionsPerHost: connectionsPerHost)
      session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request; see ``Quire/Transport/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
      try request.checkFields()
      let exchange = SessionExchange(request)
      if Task.isCancelled { throw exchange.error(.cancelled(.byCaller)) }
      let upload: SessionUpload? =
        if let body = request.body { try await SessionUpload.prepare(body) } else { nil }
      let task = makeTask(try URLRequest(request), upload)
      task.priority = request.priority.ofTask
      delegate.register(exchange, for: task)
      let observer = request.priorityHandle?.observe { task.priority = $0.ofTask }
      let watch = Task {
        let isOver = await exchange.timesOut { [delegate] in delegate.mayWait(exchange, of: task) }
        if isOver { cancel(task) }
      }
      let result = await withTaskCancellationHandler {
        task.resume()
        return await exchange.collect()
      } onCancel: {
        exchange.end(.failed(.cancelled(.byCaller)))
        cancel(task)
      }
      watch.cancel()
      if let observer { request.priorityHandle?.stopObserving(observer) }
      // A failed exchange, or one whose body was cut, may still be running; cancelling a complete one does nothing.
      cancel(task)
      return try withExtendedLifetime(upload) { () throws(RequestError) in try result.get() }
    }

    /// A body is passed to an upload task, which adds no field to the request but its length. That of a data task gets the
    /// content type of a form if it has none.
    private func makeTask(_ request: URLRequest, _ upload: SessionUpload?) -> URLSessionTask {
      switch upload {
      case nil: session.dataTask(with: request)
      case .bytes(let data): session.uploadTask(with: request, from: data)
      case .file(let url): session.uploadTask(with: request, fromFile: url)
      case .temporary(let file): session.uploadTask(with: request, fromFile: file.url)
      }
    }

    /// Cancels the task on the queue of the delegate, one by one with its completion: Foundation on Linux crashes
    /// when a task is cancelled while it completes.
    private func cancel(_ task: URLSessionTask) {
      session.delegateQueue.addOperation { task.cancel() }
    }
  }

  extension URLRequest {
    /// Creates the request of Foundation, without its body.
    fileprivate init(_ request: HTTPRequest) throws(RequestError) {
      guard let url = URL(string: request.url.description) else {
        throw RequestError(.invalidRequest(.init(.url, "is not a valid URL for Foundation")))
      }
      self.init(url: url)
      httpMethod = request.method.rawValue
      httpShouldHandleCookies = false
      // The limits of the request are enforced by the exchange.
      timeoutInterval = 7 * 24 * 3_600
      for field in request.headers.fields { addValue(field.value, forHTTPHeaderField: field.name) }
      if let type = request.body?.contentType, request.headers["Content-Type"] == nil {
        setValue(type, forHTTPHeaderField: "Content-Type")
      }
    }
  }

  extension HTTPRequest.Priority {
    /// The hint for the session. Only Apple systems use it, for the order of requests and as a priority in HTTP/2.
    fileprivate var ofTask: Float {
      switch self {
      case .prefetch: URLSessionTask.lowPriority
      case .normal: URLSessionTask.defaultPriority
      case .visible: URLSessionTask.highPriority
      }
    }
  }
#endif
