/// When a failed exchange is tried again.
///
/// Tried again are failures that may pass: a lost or refused connection, an idle timeout, and the
/// ``statuses``. The request must also bear it: its method is idempotent or it has an
/// `Idempotency-Key`, unless it surely never reached the server; and no byte of an answer has gone
/// to a receiver yet. Certificates, limits, malformed answers and errors of the service are final.
///
/// A server keeps a budget next to this policy: retries beyond a fifth of its calls are not made,
/// so that many clients don't bury a service that has just come back.
public struct RetryPolicy: Hashable, Sendable {
  /// Tries in all, the first included; redirects and renewed credentials don't count. The default
  /// is 3; `1` never tries again.
  public var attempts = 3
  /// Statuses that may pass. The default is 408, 425, 429, 502, 503 and 504. 500 is not among
  /// them: it mostly tells of a fault that a second try meets again.
  public var statuses: Set<Int> = [408, 425, 429, 502, 503, 504]
  /// The upper end of the first wait, which is drawn at random from zero up and doubles with each
  /// retry. The default is 200 ms.
  public var baseDelay: Duration = .milliseconds(200)
  /// The upper end of any wait that the server did not ask for. The default is 10 seconds.
  public var maximumDelay: Duration = .seconds(10)
  /// The longest wait a server may ask for; where it asks for more the call fails at once, since a
  /// try before that moment is known to be in vain. The default is one minute.
  public var maximumRetryAfter: Duration = .seconds(60)

  /// The defaults.
  public init() {}

  /// No second try.
  public static var never: RetryPolicy {
    var policy = RetryPolicy()
    policy.attempts = 1
    return policy
  }
}
