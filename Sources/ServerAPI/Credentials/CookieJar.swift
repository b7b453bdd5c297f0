internal import Support

/// The cookies of a server, in memory. A cookie is only sent to the origin that set it, not to subdomains
/// or other ports.
struct CookieJar {
  /// The maximum number of cookies per origin; the oldest is evicted.
  static let cookiesPerOrigin = 50
  /// The maximum size of a `Cookie` field. Cookies that don't fit are not sent, so that many cookies can't
  /// make every request too large.
  static let bytesPerRequest = 8192
  /// The maximum number of origins; the oldest is evicted.
  static let maximumOrigins = 64

  private var cookies: [WebURL.Origin: [Cookie]] = [:]
  private var order: [WebURL.Origin] = []
  /// Increases with each change.
  private(set) var revision = 0

  /// Stores the cookies of a response; `now` is the wall clock in seconds since 1970.
  mutating func store(_ headers: HTTPHeaders, from url: WebURL, now: Double) {
    for field in headers.fields where field.name.equalsIgnoringCase("Set-Cookie") {
      if let cookie = Cookie(field.value, from: url, now: now) {
        store(cookie, origin: url.origin, now: now)
      }
    }
  }

  /// Returns the `Cookie` field of a request, or `nil` if there is nothing to send.
  func field(for url: WebURL, now: Double) -> String? {
    guard !cookies.isEmpty, let known = cookies[url.origin] else { return nil }
    var field = ""
    let matching = known.enumerated()
      .filter { $0.element.matches(path: url.path) && !$0.element.isExpired(now: now) }
      .sorted { a, b in
        let (first, second) = (a.element.path.utf8.count, b.element.path.utf8.count)
        return first == second ? a.offset < b.offset : first > second
      }
    for (_, cookie) in matching {
      let pair = (field.isEmpty ? "" : "; ") + cookie.name + "=" + cookie.value
      if field.utf8.count + pair.utf8.count <= Self.bytesPerRequest { field += pair }
    }
    return field.isEmpty ? nil : field
  }

  /// An update keeps the place of its cookie, and an expired cookie removes it.
  private mutating func store(_ cookie: Cookie, origin: WebURL.Origin, now: Double) {
    var known = (cookies[origin] ?? []).filter { !$0.isExpired(now: now) }
    switch (known.firstIndex { $0.isReplaced(by: cookie) }, cookie.isExpired(now: now)) {
    case (let place?, false): known[place] = cookie
    case (let place?, true): known.remove(at: place)
    case (nil, true): return
    case (nil, false):
      if known.count >= Self.cookiesPerOrigin { known.removeFirst() }
      known.append(cookie)
    }
    keep(known, of: origin)
    revision += 1
  }

  /// Only an origin with cookies has a place.
  private mutating func keep(_ known: [Cookie], of origin: WebURL.Origin) {
    if known.isEmpty {
      order.removeAll { $0 == origin }
    } else if cookies[origin] == nil {
      if order.count >= Self.maximumOrigins { cookies[order.removeFirst()] = nil }
      order.append(origin)
    }
    cookies[origin] = known.isEmpty ? nil : known
  }
}

extension Cookie {
  fileprivate func isExpired(now: Double) -> Bool { expires.map { $0 <= now } ?? false }

  fileprivate func isReplaced(by other: Cookie) -> Bool {
    name.hasSameBytes(as: other.name) && path.hasSameBytes(as: other.path)
  }
}

/// A cookie (RFC 6265), bound to the exact origin that set it.
struct Cookie: Hashable {
  /// The maximum size of name and value together.
  static let maximumBytes = 4096
  /// The maximum length of a path. A longer one is ignored, so that the memory of a cookie is bounded.
  static let maximumPathBytes = 1024

  var name: String
  var value: String
  var path: String
  /// When it expires, in seconds since 1970; `nil` keeps it as long as the jar.
  var expires: Double?

  /// Parses a `Set-Cookie` field of a response from `url`; `nil` if it must be ignored.
  ///
  /// `Domain` never extends the cookie to other hosts, but a cookie whose domain does not cover the host is
  /// rejected. So are cookies that violate `Secure` or the prefixes `__Secure-` and `__Host-`.
  init?(_ field: String, from url: WebURL, now: Double) {
    let parts = field.utf8.split(separator: 0x3B, omittingEmptySubsequences: false)
      .map { Substring($0).withoutBlanks }
    guard let pair = parts.first, let equals = pair.utf8.firstIndex(of: 0x3D) else { return nil }
    name = String(pair[..<equals].withoutBlanks)
    value = String(pair[pair.utf8.index(after: equals)...].withoutBlanks)
    guard !name.isEmpty, name.utf8.count + value.utf8.count <= Self.maximumBytes,
      field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
    else { return nil }
    path = Self.defaultPath(of: url)
    var attributes = Attributes()
    for part in parts.dropFirst() { attributes.parse(part) }
    if let given = attributes.path { path = given }
    expires = attributes.maxAge.map { now + $0 } ?? attributes.expires
    let isSecure = url.scheme == "https"
    if attributes.isSecure, !isSecure { return nil }
    if let domain = attributes.domain, !Self.covers(domain, url.host) { return nil }
    if name.hasPrefixIgnoringCase("__Secure-"), !attributes.isSecure { return nil }
    if name.hasPrefixIgnoringCase("__Host-"),
      !attributes.isSecure || attributes.domain != nil || attributes.path != "/"
    {
      return nil
    }
  }

  /// Whether the cookie is sent with a request for this path.
  func matches(path requested: String) -> Bool {
    guard requested.utf8.starts(with: path.utf8) else { return false }
    return requested.utf8.count == path.utf8.count || path.utf8.last == 0x2F
      || requested.utf8.dropFirst(path.utf8.count).first == 0x2F
  }

  private struct Attributes {
    var path: String?
    var domain: String?
    var maxAge: Double?
    var expires: Double?
    var isSecure = false

    mutating func parse(_ text: Substring) {
      let equals = text.utf8.firstIndex(of: 0x3D) ?? text.endIndex
      let value =
        equals == text.endIndex ? "" : text[text.utf8.index(after: equals)...].withoutBlanks
      switch text[..<equals].withoutBlanks.lowercased() {
      case "path":
        let isUsable = value.utf8.first == 0x2F && value.utf8.count <= Cookie.maximumPathBytes
        path = isUsable ? String(value) : nil
      case "domain": if !value.isEmpty { domain = String(value).asciiLowercased }
      case "max-age":
        if let seconds = RetryAfter.number(value) {
          maxAge = Double(seconds)
        } else if value.utf8.first == 0x2D, RetryAfter.number(value.dropFirst()) != nil {
          maxAge = 0
        }
      case "expires": expires = HTTPDate.cookieSeconds(String(value)) ?? expires
      case "secure": isSecure = true
      default: break
      }
    }
  }

  private static func covers(_ domain: String, _ host: String) -> Bool {
    let domain = domain.utf8.dropFirst(domain.utf8.first == 0x2E ? 1 : 0)
    guard host.utf8.suffix(domain.count).elementsEqual(domain) else { return false }
    return host.utf8.count == domain.count || host.utf8.dropLast(domain.count).last == 0x2E
  }

  private static func defaultPath(of url: WebURL) -> String {
    guard let slash = url.path.lastIndex(of: "/"), slash != url.path.startIndex else { return "/" }
    return String(url.path[..<slash])
  }
}
