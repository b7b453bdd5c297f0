/// How much an answer may cost. All limits are on by default; a list page passes none of them.
///
/// The total size comes first and the ratio only counts above a floor, because lists of similar
/// rows compress thirty times and more without any ill will.
public struct TransferLimits: Hashable, Sendable {
  /// Bytes of all header lines of one answer, interim answers included. The default is 256 KiB.
  public var headerBytes = 256 << 10
  /// Header lines of one answer. The default is 256.
  public var headerCount = 256
  /// Body bytes as they travel, still compressed. The default is 32 MiB.
  public var wireBytes = 32 << 20
  /// Body bytes after decoding. The default is 64 MiB.
  public var decodedBytes = 64 << 20
  /// How many times larger than on the wire a decoded body may be. The default is 200.
  public var decompressionRatio = 200
  /// The decoded size from which ``decompressionRatio`` counts. The default is 8 MiB.
  public var decompressionFloor = 8 << 20
  /// Body bytes of a redirect that are read before the connection is cut. The default is 64 KiB.
  public var redirectBodyBytes = 64 << 10

  /// The defaults.
  public init() {}

  /// No limit on sizes of the body: for downloads that go to a ``HTTPRequest/BodyReceiver``.
  public static var unlimitedBody: TransferLimits {
    var limits = TransferLimits()
    limits.wireBytes = .max
    limits.decodedBytes = .max
    return limits
  }
}

/// How long the phases of an exchange may take.
public struct Timeouts: Hashable, Sendable {
  /// Name resolution, connecting and the TLS handshake together. The default is 10 seconds.
  public var connect: Duration = .seconds(10)
  /// No byte sent or received for this long ends the exchange. The default is 30 seconds.
  public var idle: Duration = .seconds(30)
  /// The whole action: waiting for a connection, every retry and redirect, and renewing
  /// credentials. The default is one minute.
  public var total: Duration = .seconds(60)

  /// The defaults, or others.
  public init(
    connect: Duration = .seconds(10), idle: Duration = .seconds(30), total: Duration = .seconds(60)
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
  }
}
