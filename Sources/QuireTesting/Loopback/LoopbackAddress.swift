/// The address that a loopback server listens on.
public enum LoopbackAddress: Hashable, Sendable {
  /// A free port of 127.0.0.1.
  case tcp
  /// A Unix domain socket at this path; the file is removed when the server stops.
  case unix(path: String)
}

/// Options of a ``LoopbackServer``.
public struct LoopbackConfiguration: Sendable {
  /// The address to listen on. The default is a free port of 127.0.0.1.
  public var address: LoopbackAddress = .tcp
  /// The encryption of connections. This module has none itself; the tests of this package provide it.
  package var security: (any LoopbackSecurity)?
  /// Whether ``LoopbackServer/requests`` keeps the requests. The default is `true`; a benchmark that sends a
  /// million requests turns it off.
  public var recordsRequests = true
  /// The number of body bytes that are kept of a request; the rest is read and dropped. The default is 64 MiB.
  public var recordedBodyBytes = 64 << 20

  /// Creates default options.
  public init() {}
}

/// A local port without a responding server.
///
/// The port stays reserved as long as this object lives, so no other process can listen there by chance.
public final class LoopbackDeadEnd: Sendable {
  private let sockets: [LoopbackSocket]

  /// Creates a port where every connection is refused at once.
  public static func refusing() throws(LoopbackError) -> LoopbackDeadEnd {
    LoopbackDeadEnd([try LoopbackSocket.bound(to: .tcp)])
  }

  /// Creates a port where connecting neither succeeds nor fails, as behind a firewall that drops packets: its
  /// queue of new connections is full and never drained.
  public static func silent() throws(LoopbackError) -> LoopbackDeadEnd {
    let listening = try LoopbackSocket.listening(at: .tcp, backlog: 0)
    // A queue of length zero has room for one connection.
    return LoopbackDeadEnd([listening, try LoopbackSocket.connected(toPort: listening.port)])
  }

  private init(_ sockets: [LoopbackSocket]) { self.sockets = sockets }

  /// The port.
  public var port: Int { sockets[0].port }

  /// The base URL for a client, without a path.
  public var baseURL: String { "http://127.0.0.1:\(port)" }
}
