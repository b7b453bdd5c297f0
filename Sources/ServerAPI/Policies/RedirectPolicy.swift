/// Which redirects are followed.
///
/// Followed are 301, 302, 303, 307 and 308. A `POST` that meets 301 or 302, and anything but `HEAD`
/// that meets 303, goes on as a `GET` without its body; 307 and 308 repeat the request as it was.
/// 300, 304 and the like are answers. A redirect without a readable address, a loop, one hop too
/// many, a scheme other than `http` and `https` and the step from `https` down to `http` are errors.
///
/// When a redirect leaves the origin, only fields that describe what is wanted go along: `Accept` and
/// similar fields, `User-Agent`, `Range`, `traceparent`, `tracestate`, and request ids. Everything else
/// stays behind, whatever its name, and so do credentials, client certificates and cookies; for the rest
/// of the call they are not sent again, not even back at the first origin.
public struct RedirectPolicy: Hashable, Sendable {
  /// What happens when a redirect leads to another origin.
  public enum CrossOrigin: Hashable, Sendable {
    /// Follows it, unless it would take a body along: then the call fails with
    /// ``RequestError/RedirectFailure/crossOriginBody(_:)``.
    case follow
    /// Follows it and sends the body there too. A server that can redirect the call can then have the body sent anywhere.
    case followWithBody
    /// Fails with ``RequestError/RedirectFailure/crossOrigin(_:)``.
    case refuse
  }

  /// Hops of one call. The default is 10; `0` returns the redirect as the answer.
  public var maximum = 10
  /// What happens at another origin. The default follows without a body.
  public var crossOrigin = CrossOrigin.follow
  /// Whether `https` may lead to `http`, where anybody on the way can read along. The default is no.
  public var allowsDowngrade = false
  /// Where a list is at home: the only other origin its redirects may lead to. Without it they may lead
  /// to any.
  package var home: WebURL.Origin?

  /// The defaults.
  public init() {}
}

/// Where a call has been so far, and whether it has left its origin.
struct RedirectTrail {
  /// One place a call has been.
  private struct Stop: Hashable {
    var method: HTTPMethod
    var url: String
    var tainted: Bool
    var cookies: Int
  }

  private var stops: [Stop] = []
  private let cookiesAtStart: Int
  /// Whether the call crossed a border once; it never becomes clean again.
  private(set) var isTainted: Bool

  /// `cookies` tells one state of the cookies from another.
  init(cookies: Int = 0, isTainted: Bool = false) {
    cookiesAtStart = cookies
    self.isTainted = isTainted
  }

  /// Redirects followed.
  var hops: Int { max(0, stops.count - 1) }

  /// Notes the step from one request to the next; `false` where the call has been there before.
  /// With other cookies the same address may well answer differently.
  mutating func step(
    from: HTTPRequest, to: HTTPRequest, crossesOrigin: Bool, cookies: Int
  ) -> Bool {
    if stops.isEmpty {
      stops.append(
        Stop(
          method: from.method, url: from.url.description, tainted: false, cookies: cookiesAtStart))
    }
    isTainted = isTainted || crossesOrigin
    let stop = Stop(
      method: to.method, url: to.url.description, tainted: isTainted, cookies: cookies)
    guard !stops.contains(stop) else { return false }
    stops.append(stop)
    return true
  }
}

/// What follows an answer that may be a redirect.
enum RedirectDecision {
  /// It is the answer of the call.
  case answer
  /// The next request.
  case follow(HTTPRequest)
  /// It can't be followed.
  case fail(RequestError.RedirectFailure)
}

extension RedirectPolicy {
  /// Whether the status sends the caller to the address in `Location`.
  static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// Decides about one answer. `request` is what the call asked for, without credentials and
  /// cookies, which are added anew for each exchange.
  func decide(
    _ response: HTTPResponse, to request: HTTPRequest, trail: inout RedirectTrail, cookies: Int = 0
  ) -> RedirectDecision {
    guard Self.isRedirect(response.status), maximum > 0 else { return .answer }
    guard trail.hops < maximum else { return .fail(.tooMany(maximum)) }
    let locations = Set(response.headers.values("Location"))
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
    if next.method != request.method || response.status == 303 { next.body = nil }
    if leaves, next.body != nil, crossOrigin != .followWithBody {
      return .fail(.crossOriginBody(url.origin.description))
    }
    next.headers = Self.headers(
      request.headers, withBody: next.body != nil,
      lostBody: next.body == nil && request.body != nil,
      toStranger: leaves)
    guard trail.step(from: request, to: next, crossesOrigin: leaves, cookies: cookies) else {
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
    _ headers: HTTPHeaders, withBody: Bool, lostBody: Bool, toStranger: Bool
  ) -> HTTPHeaders {
    if toStranger {
      return HTTPHeaders(
        headers.fields.filter { FieldNames.mayLeave($0.name, withBody: withBody) })
    }
    guard lostBody else { return headers }
    return HTTPHeaders(headers.fields.filter { !$0.name.lowercased().hasPrefix("content-") })
  }
}
