/// Scheme, host and port together: the border that credentials do not cross.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// The host in small letters.
  public let host: String
  /// The port, the scheme's own when none was written.
  public let port: Int

  /// `https://api.example.com`, with the port where it is not the scheme's own.
  public var description: String {
    "\(scheme)://\(host)" + (port == WebURL.defaultPort(scheme) ? "" : ":\(port)")
  }
}
