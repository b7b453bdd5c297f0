/// What a ``LoopbackServer`` may be told beyond its answers.
public struct LoopbackConfiguration: Sendable {
  /// Where it listens. The default is a free port of 127.0.0.1.
  public var address: LoopbackAddress = .tcp
  /// The certificate and the demands of TLS. The default is no TLS.
  public var tls: LoopbackTLS?
  /// Whether ``LoopbackServer/requests`` keeps what arrives. The default is true; a benchmark that
  /// sends a million requests turns it off.
  public var recordsRequests = true
  /// How many bytes of a request's body are kept; the rest is read and dropped. The default is
  /// 64 MiB.
  public var recordedBodyBytes = 64 << 20

  /// The defaults.
  public init() {}
}
