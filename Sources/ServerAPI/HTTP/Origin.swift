/// Scheme, host and port together: the border that credentials do not cross.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// The host in its canonical form, see ``WebURL/host``.
  public let host: String
  /// The port, the scheme's own when none was written.
  public let port: Int

  /// `https://api.example.com`, with the port where it is not the scheme's own.
  public var description: String {
    "\(scheme)://\(host)" + (port == WebURL.defaultPort(scheme) ? "" : ":\(port)")
  }
}

extension Origin {
  /// Whether a list that is at home here may go on at another origin: at this one, or at the same host
  /// over TLS.
  package func reaches(_ other: Origin) -> Bool {
    self == other
      || (host == other.host && (scheme, port) == ("http", 80)
        && (other.scheme, other.port) == ("https", 443))
  }
}
