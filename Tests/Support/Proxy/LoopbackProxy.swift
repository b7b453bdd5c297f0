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
/// #expect(proxy.visits.map(\.target) == ["api.example.test:443"])
/// ```
///
/// Whatever host it is asked for, it connects to that port of 127.0.0.1: nothing leaves the
/// machine, and a test may use any name. It stops when its last reference goes away.
public final class LoopbackProxy: Sendable {
  /// In which way a client asked.
  public enum Kind: Hashable, Sendable {
    /// `CONNECT host:port`.
    case tunnel
    /// A request with a whole `http` address as its target.
    case forward
    /// SOCKS version 5, without authentication.
    case socks5
  }

  /// What a client asked for.
  public struct Visit: Hashable, Sendable {
    /// In which way.
    public var kind: Kind
    /// The target as the client wrote it; for SOCKS `host:port`.
    public var target: String
    /// The `Proxy-Authorization` header.
    public var authorization: String?
    /// The head of the request byte for byte; empty for SOCKS.
    public var head: [UInt8]
  }

  private let listener: LoopbackListener
  private let log = Log()

  /// What connections report; guarded, and never held while bytes move.
  final class Log: Sendable {
    private let visits = Lock<[Visit]>([])
    let arrived = Counter()

    var all: [Visit] { visits.withLock { $0 } }

    func add(_ visit: Visit) {
      visits.withLock { $0.append(visit) }
      arrived.add()
    }
  }

  /// Starts a proxy; with a user it answers 407 to HTTP requests that do not name them.
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

  /// The address to give to a client that speaks HTTP with its proxy.
  public var baseURL: String { "http://127.0.0.1:\(port)" }

  /// The address to give to a client that speaks SOCKS5 and leaves names to the proxy.
  public var socksURL: String { "socks5h://127.0.0.1:\(port)" }

  /// The port of 127.0.0.1 it listens on.
  public var port: Int { listener.port }

  /// What clients asked for so far, refused ones included.
  public var visits: [Visit] { log.all }

  /// Waits until the visit of that number, counted from zero, has come.
  public func visit(at index: Int) async throws(LoopbackError) -> Visit {
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
