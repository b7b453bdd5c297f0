/// How redirects are followed.
///
/// The statuses 301, 302, 303, 307 and 308 are followed. After 301 and 302, a `POST` continues as a `GET`
/// without its body, as does every method except `HEAD` after 303; 307 and 308 repeat the request unchanged.
/// Responses with 300, 304 and other 3xx statuses are final. A redirect without a valid address, a loop, more
/// than ``maximum`` redirects, a scheme other than `http` and `https`, and a redirect from `https` to `http`
/// are errors.
///
/// When a redirect leaves the origin, only fields that describe the request are sent: `Accept` and similar
/// fields, `User-Agent`, `Range`, `traceparent`, `tracestate`, and request ids. All other fields, credentials,
/// client certificates and cookies are dropped. They are not sent again during the call, not even when it
/// returns to the first origin.
public struct RedirectPolicy: Hashable, Sendable {
  /// How redirects to another origin are handled.
  public enum CrossOrigin: Hashable, Sendable {
    /// Follows them, unless the request would have a body: the call then fails with
    /// ``RequestError/RedirectFailure/crossOriginBody(_:)``.
    case follow
    /// Follows them and sends the body too, so that a redirecting server can send the body anywhere.
    case followWithBody
    /// Fails with ``RequestError/RedirectFailure/crossOrigin(_:)``.
    case refuse
  }

  /// The maximum number of redirects of a call. The default is 10; `0` returns the first redirect as the
  /// response.
  public var maximum = 10
  /// How redirects to another origin are handled. The default follows them without a body.
  public var crossOrigin = CrossOrigin.follow
  /// Whether `https` may redirect to `http`, where others on the network can read the traffic. The default is
  /// `false`.
  public var allowsDowngrade = false
  /// The home of a list: the only other origin its redirects may lead to. Without it, any origin is allowed.
  package var home: WebURL.Origin?

  /// Creates the default policy.
  public init() {}
}

/// The requests of a call so far, and whether it has left its origin.
struct RedirectHistory {
  /// A request of the call.
  private struct Target: Hashable {
    var method: HTTPMethod
    var url: String
    var tainted: Bool
    var cookies: Int
  }

  private var targets: [Target] = []
  private let cookiesAtStart: Int
  /// Whether the call has ever left its origin; it stays tainted when it returns.
  private(set) var isTainted: Bool

  /// `cookies` is the revision of the cookie jar.
  init(cookies: Int = 0, isTainted: Bool = false) {
    cookiesAtStart = cookies
    self.isTainted = isTainted
  }

  /// The number of followed redirects.
  var hops: Int { max(0, targets.count - 1) }

  /// Records a redirect. Returns `false` if the call has already sent the same request with the same cookies,
  /// since other cookies may change the response.
  mutating func record(
    from: HTTPRequest, to: HTTPRequest, crossesOrigin: Bool, cookies: Int
  ) -> Bool {
    if targets.isEmpty {
      targets.append(
        Target(
          method: from.method, url: from.url.description, tainted: false, cookies: cookiesAtStart))
    }
    isTainted = isTainted || crossesOrigin
    let target = Target(
      method: to.method, url: to.url.description, tainted: isTainted, cookies: cookies)
    guard !targets.contains(target) else { return false }
    targets.append(target)
    return true
  }
}

/// The decision about a response that may be a redirect.
enum RedirectDecision {
  /// The response is final.
  case final
  /// The call continues with this request.
  case follow(HTTPRequest)
  /// The redirect can't be followed.
  case fail(RequestError.RedirectFailure)
}

extension RedirectPolicy {
  /// Whether the status redirects to the address in `Location`.
  static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// Decides about a response. `request` is the request without credentials and cookies, which are added for
  /// each exchange.
  func decide(
    _ response: HTTPResponse, to request: HTTPRequest, history: inout RedirectHistory,
    cookies: Int = 0
  ) -> RedirectDecision {
    guard Self.isRedirect(response.status), maximum > 0 else { return .final }
    guard history.hops < maximum else { return .fail(.tooMany(maximum)) }
    let locations = Set(response.headers.values("Location"))
    if locations.isEmpty { return .fail(.noLocation) }
    guard locations.count == 1, let location = locations.first else { return .fail(.badLocation) }
    if let scheme = URLReference(location).scheme?.lowercased(),
      scheme != "http", scheme != "https"
    {
      return .fail(.scheme(String(scheme.prefix(32))))
    }
    let url: WebURL
    do throws(RequestError) { url = try request.url.resolving(location) } catch {
      return .fail(.badLocation)
    }
    if request.url.scheme == "https", url.scheme == "http", !allowsDowngrade {
      return .fail(.downgrade)
    }
    let leaves = url.origin != request.url.origin
    if leaves, crossOrigin == .refuse || home?.reaches(url.origin) == false {
      return .fail(.crossOrigin(url.origin.description))
    }
    var next = request
    next.url = url
    next.method = Self.method(after: response.status, for: request.method)
    if next.method != request.method || response.status == 303 {
      (next.body, next.cacheKey) = (nil, nil)
    }
    if leaves, next.body != nil, crossOrigin != .followWithBody {
      return .fail(.crossOriginBody(url.origin.description))
    }
    next.headers = Self.headers(
      request.headers, withBody: next.body != nil,
      lostBody: next.body == nil && request.body != nil,
      toOtherOrigin: leaves)
    guard history.record(from: request, to: next, crossesOrigin: leaves, cookies: cookies) else {
      return .fail(.loop)
    }
    return .follow(next)
  }

  private static func method(after status: Int, for method: HTTPMethod) -> HTTPMethod {
    switch status {
    case 303: method == .head ? .head : .get
    case 301, 302: method == .post ? .get : method
    default: method
    }
  }

  private static func headers(
    _ headers: HTTPHeaders, withBody: Bool, lostBody: Bool, toOtherOrigin: Bool
  ) -> HTTPHeaders {
    if toOtherOrigin {
      return HTTPHeaders(
        headers.fields.filter { FieldNames.mayLeave($0.name, withBody: withBody) })
    }
    guard lostBody else { return headers }
    return HTTPHeaders(headers.fields.filter { !$0.name.lowercased().hasPrefix("content-") })
  }
}
