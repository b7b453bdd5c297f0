internal import Support

/// The cookies of a server, in memory. A cookie goes back to the origin that set it and nowhere
/// else: not to subdomains, not to another port.
struct CookieJar {
  /// Cookies of one origin; the oldest gives way.
  static let cookiesPerOrigin = 50
  /// Bytes of one `Cookie` field; what does not fit stays at home, so that a flood of cookies
  /// can't make requests unsendable.
  static let bytesPerRequest = 8192
  /// Origins remembered; the one that came first gives way.
  static let maximumOrigins = 64

  private var cookies: [WebURL.Origin: [Cookie]] = [:]
  private var order: [WebURL.Origin] = []
  /// Grows with each change.
  private(set) var revision = 0

  /// Keeps what an answer sets; `now` is the wall clock in seconds since 1970.
  mutating func store(_ headers: HTTPHeaders, from url: WebURL, now: Double) {
    for field in headers.fields where field.name.equalsIgnoringCase("Set-Cookie") {
      if let cookie = Cookie(field.value, from: url, now: now) {
        store(cookie, origin: url.origin, now: now)
      }
    }
  }

  /// The `Cookie` field of a request, or `nil` where there is nothing to send.
  func field(for url: WebURL, now: Double) -> String? {
    guard !cookies.isEmpty, let known = cookies[url.origin] else { return nil }
    var field = ""
    let fitting = known.enumerated()
      .filter { $0.element.matches(path: url.path) && !$0.element.isExpired(now: now) }
      .sorted { a, b in
        let (first, second) = (a.element.path.utf8.count, b.element.path.utf8.count)
        return first == second ? a.offset < b.offset : first > second
      }
    for (_, cookie) in fitting {
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
