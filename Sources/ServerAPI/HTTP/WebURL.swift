/// An absolute `http` or `https` address that was checked: what requests are sent to.
///
/// The text is parsed once, here; everything that decides where a request goes (origin rules,
/// connection limits, the transport) reads these parts. User names and passwords in an address are
/// refused, a fragment is dropped, characters that may not stand in an address are percent-encoded.
public struct WebURL: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// The host in small letters, an IPv6 address in brackets.
  public let host: String
  /// The port as written, or the one of the scheme.
  public let port: Int
  /// The path, percent-encoded, beginning with a slash, without dot segments.
  public let path: String
  /// The query without its question mark, percent-encoded; `nil` when there is none.
  public let query: String?
  /// The whole address.
  public let description: String

  /// Reads an address. One without a scheme, such as `api.example.com/v1`, gets `defaultScheme`.
  public init(_ text: String, defaultScheme: String = "https") throws(RequestError) {
    try self.init(text, defaultScheme: defaultScheme, place: .url)
  }

  init(
    _ text: String, defaultScheme: String = "https", place: RequestError.Defect.Place
  ) throws(RequestError) {
    try Self.refuseControlCharacters(in: text, place: place)
    let reference = URLReference(try Self.addingScheme(to: text, defaultScheme, place))
    let scheme = (reference.scheme ?? "").lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw Self.defect(place, "the scheme is “\(scheme)”, expected http or https")
    }
    let (host, port) = try Self.splitAuthority(reference.authority ?? "", scheme, place)
    self.init(
      scheme: scheme, host: host, port: port,
      path: PercentEncoding.path.repair(URLReference.removingDotSegments(reference.path)),
      query: reference.query.map(PercentEncoding.query.repair))
  }

  /// Puts checked parts together.
  init(scheme: String, host: String, port: Int, path: String, query: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path.hasPrefix("/") ? path : "/" + path
    self.query = query
    var text = scheme + "://" + host
    if port != Self.defaultPort(scheme) { text += ":\(port)" }
    text += self.path
    if let query { text += "?" + query }
    description = text
  }

  /// The address that `reference` means in a document found here (RFC 3986, section 5).
  public func resolving(_ reference: String) throws(RequestError) -> WebURL {
    try Self.refuseControlCharacters(in: reference, place: .url)
    let resolved = URLReference(reference).resolved(against: URLReference(description))
    return try WebURL(resolved.description)
  }

  /// Where the address leads: credentials never travel from one origin to another.
  public var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

  static func defaultPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

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
