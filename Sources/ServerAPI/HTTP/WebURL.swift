/// An absolute `http` or `https` address that was checked: what requests are sent to.
///
/// The text is parsed once, here; everything that decides where a request goes (origin rules,
/// connection limits, the transport) reads these parts. User names and passwords in an address are
/// refused, a fragment is dropped, characters that may not stand in an address are percent-encoded.
public struct WebURL: Sendable, CustomStringConvertible {
  /// The parts stand in one object, so that requests, which are copied at every turn, carry a
  /// single reference.
  private final class Parts: Sendable {
    let origin: WebURL.Origin
    let path: String
    let query: String?
    let text: String

    init(origin: WebURL.Origin, path: String, query: String?, text: String) {
      self.origin = origin
      self.path = path
      self.query = query
      self.text = text
    }
  }

  private let parts: Parts

  /// Where the address leads: credentials never travel from one origin to another.
  public var origin: WebURL.Origin { parts.origin }
  /// `http` or `https`.
  public var scheme: String { parts.origin.scheme }
  /// The host in its one canonical form: in small letters, in ASCII (`xn--…`), without a dot at the end;
  /// an IPv6 address in brackets.
  public var host: String { parts.origin.host }
  /// The port as written, or the one of the scheme.
  public var port: Int { parts.origin.port }
  /// The path, percent-encoded, beginning with a slash, without dot segments.
  public var path: String { parts.path }
  /// The query without its question mark, percent-encoded; `nil` when there is none.
  public var query: String? { parts.query }
  /// The whole address.
  public var description: String { parts.text }

  /// Reads an address. One without a scheme, such as `api.example.com/v1`, gets `defaultScheme`.
  public init(_ text: String, defaultScheme: String = "https") throws(RequestError) {
    try self.init(text, defaultScheme: defaultScheme, place: .url)
  }

  init(
    _ text: String, defaultScheme: String = "https", place: RequestError.Defect.Place
  ) throws(RequestError) {
    try Self.check(text, place)
    try self.init(URLReference(try Self.addingScheme(to: text, defaultScheme, place)), place)
  }

  /// Checks an absolute reference, whose text has been checked before.
  init(_ reference: URLReference, _ place: RequestError.Defect.Place) throws(RequestError) {
    let scheme = (reference.scheme ?? "").lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw Self.defect(place, "the scheme is “\(scheme.prefix(32))”, expected http or https")
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

  /// Puts checked parts together.
  init(scheme: String, host: String, port: Int, path: String, query: String?) {
    let path = path.utf8.first == 0x2F ? path : "/" + path
    var text = ""
    text.reserveCapacity(
      scheme.utf8.count + host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 10)
    text += scheme
    text += "://"
    text += host
    if port != Self.defaultPort(scheme) {
      text += ":"
      text += String(port)
    }
    text += path
    if let query {
      text += "?"
      text += query
    }
    parts = Parts(
      origin: WebURL.Origin(scheme: scheme, host: host, port: port), path: path, query: query,
      text: text)
  }

  /// The address that `reference` means in a document found here (RFC 3986, section 5).
  public func resolving(_ reference: String) throws(RequestError) -> WebURL {
    try Self.check(reference, .url)
    return try WebURL(URLReference(reference).resolved(against: self.reference), .url)
  }

  /// The same address in the parts of RFC 3986.
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
  /// Equal when the whole addresses are.
  public static func == (a: WebURL, b: WebURL) -> Bool { a.description == b.description }

  /// Hashes the whole address.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension WebURL {
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
}

extension WebURL.Origin {
  /// Whether a list that is at home here may go on at another origin: at this one, or at the same host
  /// over TLS.
  package func reaches(_ other: WebURL.Origin) -> Bool {
    self == other
      || (host == other.host && (scheme, port) == ("http", 80)
        && (other.scheme, other.port) == ("https", 443))
  }
}
