public import QuireTesting
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A proxy on this machine for tests: HTTP tunnels, forwarded HTTP and SOCKS5 on one port.
///
/// ```swift
/// let proxy = try LoopbackProxy(user: "me", password: "secret")
/// // … a client that uses proxy.baseURL as its proxy …
/// #expect(proxy.requests.map(\.target) == ["api.example.test:443"])
/// ```
///
/// For any host it connects to the same port of 127.0.0.1: nothing leaves the machine, and a test can use any
/// name. It stops when its last reference is released.
public final class LoopbackProxy: Sendable {
  /// The kind of a client's request.
  public enum Kind: Hashable, Sendable {
    /// `CONNECT host:port`.
    case tunnel
    /// A request with a whole `http` URL as its target.
    case forward
    /// SOCKS version 5, without authentication.
    case socks5
  }

  /// A client's request.
  public struct Request: Hashable, Sendable {
    /// The kind.
    public var kind: Kind
    /// The target as the client sent it; for SOCKS `host:port`.
    public var target: String
    /// The `Proxy-Authorization` header.
    public var authorization: String?
    /// The head of the request byte for byte; empty for SOCKS.
    public var head: [UInt8]
  }

  private let listener: LoopbackListener
  private let log = Log()

  /// The reports of connections; guarded by a lock that is never held while bytes are transferred.
  final class Log: Sendable {
    private let requests = Lock<[Request]>([])
    let arrived = Counter()

    var all: [Request] { requests.withLock { $0 } }

    func add(_ request: Request) {
      requests.withLock { $0.append(request) }
      arrived.add()
    }
  }

  /// Starts a proxy. With a user, it responds with 407 to HTTP requests without valid credentials.
  public init(user: String? = nil, password: String = "") throws(LoopbackError) {
    let credentials = user.map { user in
      "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }
    listener = try LoopbackListener(.tcp)
    try listener.start { [log, listener] socket, _ in
      var connection = LoopbackProxyConnection(
        socket, listener: listener, log: log, credentials: credentials)
      connection.serve()
    }
  }

  deinit { stop() }

  /// The URL for a client that uses HTTP with its proxy.
  public var baseURL: String { "http://127.0.0.1:\(port)" }

  /// The URL for a client that uses SOCKS5 and leaves name resolution to the proxy.
  public var socksURL: String { "socks5h://127.0.0.1:\(port)" }

  /// The port of 127.0.0.1 that it listens on.
  public var port: Int { listener.port }

  /// The requests of clients so far, including rejected ones.
  public var requests: [Request] { log.all }

  /// Waits for the request with a number, counted from zero.
  public func request(at index: Int) async throws(LoopbackError) -> Request {
    guard await log.arrived.reaches(index + 1) else { throw .stopped }
    return log.all[index]
  }

  /// Ends every connection on both sides and refuses new ones; returns at once.
  public func stop() {
    listener.stop()
    log.arrived.end()
  }

  /// Waits until every thread of a stopped proxy has ended.
  public func finished() async { await listener.finished() }
}
