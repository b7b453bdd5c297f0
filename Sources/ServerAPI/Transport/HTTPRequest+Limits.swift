extension HTTPRequest {
  /// The size limits of a response. All limits are on by default; typical list pages are far below them.
  ///
  /// The ratio only applies above a floor, because lists of similar rows legitimately compress to a thirtieth
  /// of their size and less.
  public struct Limits: Hashable, Sendable {
    /// Bytes of all header lines of one response, including interim responses. The default is 256 KiB.
    public var headerBytes = 256 << 10
    /// Header lines of one response. The default is 256.
    public var headerCount = 256
    /// Body bytes on the wire, still compressed. The default is 32 MiB.
    public var wireBytes = 32 << 20
    /// Body bytes after decoding. The default is 64 MiB.
    public var decodedBytes = 64 << 20
    /// The maximum ratio of a decoded body to its size on the wire. The default is 200.
    public var decompressionRatio = 200
    /// The decoded size above which ``decompressionRatio`` applies. The default is 8 MiB.
    public var decompressionFloor = 8 << 20
    /// Body bytes of a response with an error status that are read; a longer body is cut. The default is 1 MiB.
    public var errorBodyBytes = 1 << 20
    /// Body bytes of a redirect that are read before the connection is closed. The default is 64 KiB.
    public var redirectBodyBytes = 64 << 10

    /// Creates the default limits.
    public init() {}

    /// Limits without a body size, for downloads to a ``HTTPRequest/receiver``.
    public static var unlimitedBody: HTTPRequest.Limits {
      var limits = HTTPRequest.Limits()
      limits.wireBytes = .max
      limits.decodedBytes = .max
      return limits
    }
  }
}

extension HTTPRequest {
  /// The time limits of a call.
  public struct Timeouts: Hashable, Sendable {
    /// Name resolution, connecting and the TLS handshake together. The default is 10 seconds.
    public var connect: Duration = .seconds(10)
    /// The longest time without a byte sent or received. The default is 30 seconds.
    public var idle: Duration = .seconds(30)
    /// The whole call: waiting for a connection, every retry and redirect, and renewing credentials, but not
    /// waiting for rate limits, which ``RetryPolicy/maximumRetryAfter`` bounds. The default is one minute.
    public var total: Duration = .seconds(60)

    /// Creates time limits.
    public init(
      connect: Duration = .seconds(10), idle: Duration = .seconds(30),
      total: Duration = .seconds(60)
    ) {
      self.connect = connect
      self.idle = idle
      self.total = total
    }
  }
}
