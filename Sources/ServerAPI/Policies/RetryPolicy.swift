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

/// What is known when an exchange has failed.
struct RetryCase {
  /// How it failed; an error status is a failure here.
  var failure: RequestError.Kind
  /// How long the server asks to wait.
  var retryAfter: Duration?
  /// The method of the exchange.
  var method: HTTPMethod
  /// Whether the request has an `Idempotency-Key`.
  var hasIdempotencyKey = false
  /// Whether a receiver already took bytes of an answer.
  var receiverHasBytes = false
  /// Retries of the call so far.
  var retries = 0
  /// Whether the call was already repeated for a connection that had died while it was idle.
  var usedFreshConnection = false
  /// What is left of the time of the call.
  var remaining: Duration
}

/// What follows a failed exchange.
enum RetryDecision: Hashable {
  /// Another try. `isFree` marks the one that counts neither as a try nor against the budget.
  case retry(after: Duration, reason: String, freshConnection: Bool, isFree: Bool)
  /// The failure stands.
  case stop(Reason)

  enum Reason: Hashable {
    /// The failure would come again.
    case permanent
    /// Sending the request twice may do harm, or its answer was already used.
    case notReplayable
    /// The tries are used up.
    case attempts
    /// The next try would begin after the end of the call.
    case deadline
    /// The server asks for a longer wait than allowed.
    case retryAfter
  }
}

extension RetryPolicy {
  /// Decides about one failure. `random` is drawn from `0 ..< 1`.
  func decide(_ failed: RetryCase, random: Double) -> RetryDecision {
    guard let trait = trait(of: failed.failure) else { return .stop(.permanent) }
    guard attempts > 1 else { return .stop(.attempts) }
    let mayRepeat =
      trait.neverArrived || trait.wasAsked || failed.method.isIdempotent
      || failed.hasIdempotencyKey
    guard mayRepeat, !failed.receiverHasBytes else { return .stop(.notReplayable) }
    if trait.connectionWasStale, !failed.usedFreshConnection {
      return failed.remaining > .zero
        ? .retry(after: .zero, reason: trait.reason, freshConnection: true, isFree: true)
        : .stop(.deadline)
    }
    guard failed.retries < attempts - 1 else { return .stop(.attempts) }
    let lookup = trait.lookup ?? failed.retryAfter
    if let lookup, lookup > maximumRetryAfter { return .stop(.retryAfter) }
    // After a wait that the server chose, a little jitter keeps its clients from coming all at once.
    let doubled = baseDelay * Double(sign: .plus, exponent: min(failed.retries, 30), significand: 1)
    let delay = lookup.map { $0 + baseDelay * random } ?? min(maximumDelay, doubled) * random
    guard delay < failed.remaining else { return .stop(.deadline) }
    return .retry(
      after: delay, reason: trait.reason, freshConnection: trait.connectionWasStale, isFree: false)
  }

  private struct Trait {
    var reason: String
    var neverArrived = false
    var wasAsked = false
    var connectionWasStale = false
    var lookup: Duration?
  }

  /// What a failure means for a retry, `nil` where it would come again.
  private func trait(of failure: RequestError.Kind) -> Trait? {
    switch failure {
    case .status(let status):
      statuses.contains(status) ? Trait(reason: "status \(status)") : nil
    case .nameNotResolved: Trait(reason: "name not resolved", neverArrived: true)
    case .connectRefused: Trait(reason: "connection refused", neverArrived: true)
    case .connectFailed: Trait(reason: "no connection", neverArrived: true)
    case .offline: Trait(reason: "offline", neverArrived: true)
    case .timeout(.connect): Trait(reason: "connect timeout", neverArrived: true)
    case .timeout(.idle): Trait(reason: "idle timeout")
    case .sendFailed: Trait(reason: "sending failed")
    case .connectionLost(let bytes, let reused):
      Trait(reason: "connection lost", connectionWasStale: reused && bytes == 0)
    case .retryRequested(let after, let reason):
      Trait(reason: reason, wasAsked: true, lookup: after)
    case .invalidRequest, .tls, .proxy, .timeout(.queue), .timeout(.total), .tooLarge,
      .undecodable, .notStored, .protocolViolation, .redirect, .cancelled, .unexpectedContent,
      .business,
      .authentication, .receiverFailed, .unusable:
      nil
    }
  }
}

/// How many retries a server may still cost: each call pays in a little, each retry takes a whole
/// token. A failing service therefore sees at most a fifth more requests than without retries.
///
/// A small reserve, refilled by time alone, lets a program that seldom calls try again too.
struct RetryBudget: Hashable, Sendable {
  /// What one call pays in.
  static let deposit = 0.2
  /// What is there at first, and what time alone refills to, a token per second.
  static let reserve = 10.0
  /// What saving up ends at.
  static let maximum = 100.0

  private(set) var tokens = reserve
  private var refilled: Duration?

  /// A call was made.
  mutating func noteCall() {
    tokens = min(Self.maximum, tokens + Self.deposit)
  }

  /// Takes the price of one retry, or refuses it.
  mutating func takeRetry(now: Duration) -> Bool {
    if tokens < Self.reserve, let refilled {
      tokens = min(Self.reserve, tokens + max(0, (now - refilled) / .seconds(1)))
    }
    refilled = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
