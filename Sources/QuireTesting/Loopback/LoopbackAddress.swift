/// Where a server of the test kit listens.
public enum LoopbackAddress: Hashable, Sendable {
  /// A free port of 127.0.0.1.
  case tcp
  /// A Unix domain socket at this path; the file is removed when the server stops.
  case unix(path: String)
}

/// What a ``LoopbackServer`` may be told beyond its answers.
public struct LoopbackConfiguration: Sendable {
  /// Where it listens. The default is a free port of 127.0.0.1.
  public var address: LoopbackAddress = .tcp
  /// What encrypts connections. The kit has nothing of the kind itself; the tests of this package do.
  package var security: (any LoopbackSecurity)?
  /// Whether ``LoopbackServer/requests`` keeps what arrives. The default is true; a benchmark that
  /// sends a million requests turns it off.
  public var recordsRequests = true
  /// How many bytes of a request's body are kept; the rest is read and dropped. The default is
  /// 64 MiB.
  public var recordedBodyBytes = 64 << 20

  /// The defaults.
  public init() {}
}

/// A port of this machine behind which no server answers.
///
/// The port stays taken as long as this object lives, so nobody else can listen there by chance.
public final class LoopbackDeadEnd: Sendable {
  private let sockets: [LoopbackSocket]

  /// A port where every connection is refused at once.
  public static func refusing() throws(LoopbackError) -> LoopbackDeadEnd {
    LoopbackDeadEnd([try LoopbackSocket.bound(to: .tcp)])
  }

  /// A port where connecting neither succeeds nor fails, as behind a firewall that drops packets:
  /// its queue of new connections is full and never emptied.
  public static func silent() throws(LoopbackError) -> LoopbackDeadEnd {
    let listening = try LoopbackSocket.listening(at: .tcp, backlog: 0)
    // A queue of length zero has room for one.
    return LoopbackDeadEnd([listening, try LoopbackSocket.connected(toPort: listening.port)])
  }

  private init(_ sockets: [LoopbackSocket]) { self.sockets = sockets }

  /// The port.
  public var port: Int { sockets[0].port }

  /// The address to give to a client, without a path.
  public var baseURL: String { "http://127.0.0.1:\(port)" }
}
