internal import Foundation
public import ServerAPI

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Carries requests over Foundation's `URLSession`, for programs that must use the system's stack.
///
/// `CurlTransport` is faster and keeps every promise of ``Quire/Transport``. This one keeps those that the
/// platform lets it keep: redirects, cookies, credentials and caches of the session are off, sizes
/// are counted and time limits enforced here. What `URLSession` makes impossible on Linux:
///
/// - Fields are kept in a dictionary: their order and, where a name is repeated, their borders are
///   lost, in requests and in answers.
/// - A compressed body is decoded out of sight: its size on the wire is unknown, so
///   ``Quire/TransferLimits/wireBytes`` and ``Quire/TransferLimits/decompressionRatio`` see the decoded size.
/// - The head is complete before it can be counted.
/// - Nothing holds the sender back while a ``Quire/HTTPRequest.BodyReceiver`` works: pieces wait in memory.
/// - Timings know no phases but waiting and receiving, and no protocol.
/// - Why there is no secure connection is not told.
/// - Proxies of the environment (`http_proxy`) are used.
///
/// Uploads are read into memory whole.
public final class URLSessionTransport: Transport {
  private let session: URLSession
  private let desk = SessionDesk()

  /// Makes a transport with a session of its own, which ends with it.
  ///
  /// - Parameter connectionsPerHost: How many requests to one host are under way at once. The
  ///   default is 6.
  public init(connectionsPerHost: Int = 6) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    session = URLSession(configuration: configuration, delegate: desk, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// Sends the request; see the type for what can't be had this way.
  public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    try request.checkFields()
    let exchange = SessionExchange(request)
    if Task.isCancelled { throw exchange.error(.cancelled(.byCaller)) }
    let task = session.dataTask(with: try URLRequest(request))
    desk.open(exchange, for: task)
    let watch = Task { await exchange.watch(task) }
    let result = await withTaskCancellationHandler {
      task.resume()
      return await exchange.collect()
    } onCancel: {
      exchange.end(.failed(.cancelled(.byCaller)))
      task.cancel()
    }
    watch.cancel()
    if case .failure = result { task.cancel() }
    return try result.get()
  }
}

extension URLRequest {
  /// The request in Foundation's form.
  init(_ request: HTTPRequest) throws(RequestError) {
    guard let url = URL(string: request.url.description) else {
      throw RequestError(.invalidRequest(.init(.url, "is not an address for Foundation")))
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
        let read = try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: length)
        guard let read, read.count == length else {
          let problem = "the file \(path) does not have \(length) bytes to read"
          throw RequestError(.invalidRequest(.init(.body, problem)))
        }
        data.append(read)
      }
    }
    return data
  }
}
