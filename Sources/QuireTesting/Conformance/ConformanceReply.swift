public import ServerAPI

/// What a ``ConformanceHost`` is asked to answer, down to the wire.
public struct ConformanceReply: Hashable, Sendable {
  /// What follows the head.
  public enum Body: Hashable, Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// The target of the request, so that answers can be told apart.
    case echo
    /// That many zeros, compressed with gzip about a thousand times.
    case gzippedZeros(Int)
  }

  /// What becomes of the reply.
  public enum Fate: Hashable, Sendable {
    /// It arrives.
    case whole
    /// Nothing listens at the address.
    case refused
    /// The connection ends after that many bytes of a body that was announced as whole.
    case cut(afterBytes: Int)
    /// Nothing comes, and the connection stays open.
    case silent
    /// Nothing comes after that many bytes of the body, and the connection stays open.
    case stalled(afterBytes: Int)
  }

  /// The status code.
  public var status: Int
  /// The fields, those of framing and coding left out.
  public var headers: HTTPHeaders
  /// The body.
  public var body: Body
  /// Whether the body travels in chunks, its length unannounced.
  public var isChunked = false
  /// Interim heads that come first.
  public var interim: [Int] = []
  /// What becomes of it.
  public var fate = Fate.whole

  /// Describes a reply that arrives.
  public init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
