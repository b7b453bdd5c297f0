/// A valid absolute `http` or `https` address.
///
/// The text is parsed once, here; everything that depends on the target of a request (origin rules,
/// connection limits, the transport) reads these parts. An address with a user name or a password is
/// rejected, a fragment is dropped, and invalid characters are percent-encoded.
public struct WebURL: Sendable, CustomStringConvertible {
  /// The parts, in one object: requests are copied often, and so hold a single reference.
  private final class Parts: Sendable {
    let origin: WebURL.Origin
    let path: String
    let query: String?
    let text: String

    /// `place` is the address without the query.
    init(_ origin: WebURL.Origin, _ path: String, _ query: String?, place: Substring) {
      self.origin = origin
      self.path = path
      self.query = query
      guard let query else {
        text = String(place)
        return
      }
      var text = ""
      text.reserveCapacity(place.utf8.count + query.utf8.count + 1)
      text += place
      text += "?"
      text += query
      self.text = text
    }
  }

  private let parts: Parts

  private init(parts: Parts) { self.parts = parts }

  /// The origin: credentials never go from one origin to another.
  public var origin: WebURL.Origin { parts.origin }
  /// `http` or `https`.
  public var scheme: String { parts.origin.scheme }
  /// The host in its canonical form: in lower case, in ASCII (`xn--…`), without a trailing dot; an IPv6
  /// address in brackets.
  public var host: String { parts.origin.host }
  /// The port, by default the one of the scheme.
  public var port: Int { parts.origin.port }
  /// The path, percent-encoded, with a leading slash and without dot segments.
  public var path: String { parts.path }
  /// The query, percent-encoded and without its question mark; `nil` if there is none.
  public var query: String? { parts.query }
  /// The complete address.
  public var description: String { parts.text }

  /// Parses an address. One without a scheme, such as `api.example.com/v1`, gets `defaultScheme`.
  public init(_ text: String, defaultScheme: String = "https") throws(RequestError) {
    try self.init(text, defaultScheme: defaultScheme, place: .url)
  }

  init(
    _ text: String, defaultScheme: String = "https", place: RequestError.Defect.Place
  ) throws(RequestError) {
    try Self.check(text, place)
    try self.init(URLReference(try Self.addingScheme(to: text, defaultScheme, place)), place)
  }

  /// Validates an absolute reference whose text was already checked.
  init(_ reference: URLReference, _ place: RequestError.Defect.Place) throws(RequestError) {
    let scheme = (reference.scheme ?? "").lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw Self.defect(place, "has the scheme “\(scheme.prefix(32))”, expected http or https")
    }
    guard let authority = reference.authority else {
      throw Self.defect(place, "has no host; expected \(scheme)://host/…")
    }
    let (host, port) = try Self.splitAuthority(authority, scheme, place)
    self.init(
      scheme: scheme, host: host, port: port,
      path: PercentEncoding.path.repair(URLReference.removingDotSegments(reference.path)),
      query: reference.query.map(PercentEncoding.query.repair))
  }

  /// Joins validated parts.
  init(scheme: String, host: String, port: Int, path: String, query: String?) {
    let origin = WebURL.Origin(scheme: scheme, host: host, port: port)
    let path = path.utf8.first == 0x2F ? path : "/" + path
    parts = Parts(origin, path, query, place: (origin.description + path)[...])
  }

  /// Returns the address with another query.
  func withQuery(_ query: String?) -> WebURL {
    if query == nil, self.query == nil { return self }
    let text = parts.text
    let end = self.query.map { text.utf8.index(text.endIndex, offsetBy: -$0.utf8.count - 1) }
    return WebURL(parts: Parts(origin, path, query, place: text[..<(end ?? text.endIndex)]))
  }

  /// Resolves a reference against this address (RFC 3986, section 5).
  public func resolving(_ reference: String) throws(RequestError) -> WebURL {
    try Self.check(reference, .url)
    return try WebURL(URLReference(reference).resolved(against: self.reference), .url)
  }

  /// The address as a reference of RFC 3986.
  private var reference: URLReference {
    var parts = URLReference("")
    parts.scheme = scheme
    parts.authority = port == Self.defaultPort(scheme) ? host : "\(host):\(port)"
    parts.path = path
    parts.query = query
    return parts
  }

  static func defaultPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension WebURL: Hashable {
  /// Compares the complete addresses.
  public static func == (a: WebURL, b: WebURL) -> Bool { a.description == b.description }

  /// Hashes the complete address.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension WebURL {
  /// Scheme, host and port: the boundary that credentials do not cross.
  public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host in its canonical form, see ``WebURL/host``.
    public let host: String
    /// The port, by default the one of the scheme.
    public let port: Int

    /// `https://api.example.com`, with the port unless it is the default of the scheme.
    public var description: String {
      "\(scheme)://\(host)" + (port == WebURL.defaultPort(scheme) ? "" : ":\(port)")
    }
  }
}

extension WebURL.Origin {
  /// Whether a list with this home may continue at `other`: at the same origin, or at the same host over TLS.
  package func reaches(_ other: WebURL.Origin) -> Bool {
    self == other
      || (host == other.host && (scheme, port) == ("http", 80)
        && (other.scheme, other.port) == ("https", 443))
  }
}
