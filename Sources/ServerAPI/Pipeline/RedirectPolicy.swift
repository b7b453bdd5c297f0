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
  package var home: Origin?

  /// The defaults.
  public init() {}
}
