#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import Foundation
  public import ServerAPI
  internal import Support

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// Sends requests over Foundation's `URLSession`, for programs that must use the network stack of the system.
  ///
  /// `CurlTransport` is faster and meets every requirement of ``Quire/Transport``. This transport meets those
  /// that the platform allows: redirects, cookies, credentials and caches of the session are off, and limits of
  /// size and time are enforced here. `URLSession` on Linux has these limitations:
  ///
  /// - Fields are kept in a dictionary: their order is lost, and repeated fields are joined, in requests and
  ///   responses.
  /// - Compressed bodies are decoded internally: the size on the wire is unknown, so
  ///   ``Quire/HTTPRequest/Limits/wireBytes`` and ``Quire/HTTPRequest/Limits/decompressionRatio`` use the decoded
  ///   size.
  /// - Header fields are counted only when the head is complete.
  /// - There is no backpressure while a ``Quire/HTTPRequest/receiver`` works: pieces wait in memory.
  /// - A connection is known to exist only from the first byte of the body that is sent. So the time for connecting
  ///   (``Quire/HTTPRequest/Timeouts/connect``) is limited for requests with a body, and the idle limit applies to others.
  /// - Timings have only the phases of waiting and receiving, and no protocol.
  /// - The cause of a TLS failure is unknown.
  /// - Proxies of the environment (`http_proxy`) are used.
  ///
  /// The complete body of an upload is read into memory.
  public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// Creates a transport with its own session, which is invalidated with it.
    ///
    /// - Parameter connectionsPerHost: The maximum number of concurrent requests to a host. The default is 6.
    public init(connectionsPerHost: Int = 6) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpMaximumConnectionsPerHost = connectionsPerHost
      delegate = SessionDelegate(connectionsPerHost: connectionsPerHost)
      session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends the request; see the type for the limitations.
    public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
      try request.checkFields()
      let exchange = SessionExchange(request)
      if Task.isCancelled { throw exchange.error(.cancelled(.byCaller)) }
      let task = session.dataTask(with: try URLRequest(request))
      delegate.register(exchange, for: task)
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
      if case .failure = result { cancel(task) }
      return try result.get()
    }

    /// Cancels the task on the queue of the delegate, one by one with its completion: Foundation on Linux crashes
    /// when a task is cancelled while it completes.
    private func cancel(_ task: URLSessionTask) {
      session.delegateQueue.addOperation { task.cancel() }
    }
  }

  extension URLRequest {
    /// Creates the request of Foundation.
    init(_ request: HTTPRequest) throws(RequestError) {
      guard let url = URL(string: request.url.description) else {
        throw RequestError(.invalidRequest(.init(.url, "is not a valid URL for Foundation")))
      }
      self.init(url: url)
      httpMethod = request.method.rawValue
      httpShouldHandleCookies = false
      // The limits of the request are enforced by the exchange.
      timeoutInterval = 7 * 24 * 3_600
      for field in request.headers.fields { addValue(field.value, forHTTPHeaderField: field.name) }
      guard let body = request.body else { return }
      if let type = body.contentType, request.headers["Content-Type"] == nil {
        setValue(type, forHTTPHeaderField: "Content-Type")
      }
      httpBody = try body.data()
    }
  }

  extension RequestBody {
    fileprivate func data() throws(RequestError) -> Data {
      var data = Data(capacity: length)
      for piece in pieces {
        switch piece {
        case .bytes(let bytes): data.append(contentsOf: bytes)
        case .file(let path, let length):
          // Of an empty file, there is nothing to read.
          let read =
            try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: length)
            ?? Data()
          guard let read, read.count == length else {
            let problem = "the file \(path) can't be read, or has fewer than \(length) bytes"
            throw RequestError(.invalidRequest(.init(.body, problem)))
          }
          data.append(read)
        }
      }
      return data
    }
  }

  /// Passes the events of the session to their exchanges.
  final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let connectionsPerHost: Int
    /// Guards the exchanges in flight, by task identifier, which increases.
    private let exchanges = Lock<[Int: SessionExchange]>([:])

    init(connectionsPerHost: Int) { self.connectionsPerHost = connectionsPerHost }

    /// Whether an exchange may still wait for a connection that earlier ones use.
    func mayWait(_ exchange: SessionExchange, of task: URLSessionTask) -> Bool {
      let earlier = exchanges.withLock { exchanges in
        exchanges.count { $0.key < task.taskIdentifier && $0.value.origin == exchange.origin }
      }
      return earlier >= connectionsPerHost
    }

    func register(_ exchange: SessionExchange, for task: URLSessionTask) {
      exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
      exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      guard let response = response as? HTTPURLResponse, let exchange = exchange(of: dataTask) else {
        return completionHandler(.cancel)
      }
      exchange.receive(response)
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
      totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
      exchange(of: task)?.sent(Int(totalBytesSent))
    }

    /// Follows no redirect, so that the redirect is the response.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    /// Sends no credentials, which are added by the caller, so that the challenge is the response.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      #if canImport(FoundationNetworking)
        // Here the challenge follows the complete response, and every disposition ends with an error.
        exchange(of: task)?.end(.complete)
        completionHandler(.cancelAuthenticationChallenge, nil)
      #else
        let isAboutTrust =
          challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        completionHandler(isAboutTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
      #endif
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      exchange?.complete(error)
    }
  }
#endif
