#if !ONLY_WITHOUT_LIBCURL || !LIBCURL
  internal import Foundation
  internal import ServerAPI
  internal import Support

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// Passes the events of the session to their exchanges, and decides nothing itself: redirects, credentials and caching
  /// belong to the pipeline of the server.
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
      exchange.receive(SessionHead(response))
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

    /// Comes before the completion of the task, and only on Apple systems.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
      exchange(of: task)?.measured(SessionPhases(metrics))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      exchange?.complete(error)
    }
  }
#endif
