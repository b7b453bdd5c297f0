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

  private mutating func store(_ cookie: Cookie, origin: WebURL.Origin, now: Double) {
    var known = cookies[origin] ?? []
    known.removeAll {
      $0.isExpired(now: now) || $0.name == cookie.name && $0.path == cookie.path
    }
    if !cookie.isExpired(now: now) {
      if known.count >= Self.cookiesPerOrigin { known.removeFirst() }
      known.append(cookie)
    }
    if cookies[origin] == nil {
      if order.count >= Self.maximumOrigins { cookies[order.removeFirst()] = nil }
      order.append(origin)
    }
    cookies[origin] = known
    revision += 1
  }
}

extension Cookie {
  fileprivate func isExpired(now: Double) -> Bool { expires.map { $0 <= now } ?? false }
}
