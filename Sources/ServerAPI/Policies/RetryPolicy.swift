/// When a failed exchange is retried.
///
/// Temporary failures are retried: a lost or refused connection, an idle timeout, and the ``statuses``. The
/// request must also be safe to repeat: its method is idempotent, it has an `Idempotency-Key`, or it certainly
/// never reached the server; and no byte of a response has gone to a receiver. A damaged response is requested once
/// more, on a new connection: a body that can't be decoded, a response without a valid head, a web page or nothing
/// where JSON was expected. An error of the service in a response with a status of success is retried if its code is one
/// of the ``statuses``, or its code or message says that it is temporary: a rate limit, a timeout, “try again”. Failures
/// of certificates, exceeded limits and other errors of the service are not retried.
///
/// While attempts are left, one that stalls or can't connect gets half of the remaining time at most.
///
/// A 403 that reports a rate limit, with `Retry-After` or an exhausted quota, counts as a 429. After a 429, or a 503
/// with `Retry-After`, the call waits as long as the server asks. Such a wait is no attempt and no part of
/// ``HTTPRequest/Timeouts/total``: only their sum ends the call, beyond ``maximumRetryAfter``, with
/// ``RequestError/Kind/rateLimited(wait:)``. Other calls for which the limit holds wait as well, by ``limitScope``.
///
/// All calls to a host share ``retriesPerSecond``, so that many of them don't overload a service that has just
/// recovered.
public struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of attempts, including the first; redirects, renewed credentials, and what follows a wait that the
  /// server asked for don't count. The default is 3; `1` never retries.
  public var attempts = 3
  /// The statuses that are retried. The default is 408, 425, 429, 502, 503 and 504, without 500, which mostly
  /// reports a permanent fault. A walk over a list also retries 500, 507, 520 to 530 and 599 by default.
  public var statuses: Set<Int> = [408, 425, 429, 502, 503, 504]
  /// The upper bound of the first delay. Delays are random between zero and an upper bound that doubles with
  /// each retry. The default is 200 ms.
  public var baseDelay: Duration = .milliseconds(200)
  /// The maximum delay, unless the server requests one. The default is 10 seconds.
  public var maximumDelay: Duration = .seconds(10)
  /// How long a call waits altogether because the server asks for it. If the server asks for more, the call fails at once,
  /// since an earlier retry would be useless;
  /// ``RequestError/requestedWait`` is the requested delay. The default is two minutes, which is enough for a
  /// limit per minute, but not for most limits per hour.
  public var maximumRetryAfter: Duration = .seconds(120)
  /// What a limit holds for that a server reports: other calls to it wait as well.
  public var limitScope = LimitScope.origin
  /// The maximum number of retries per second of all calls to a host. Further ones wait for their turn, and fail only
  /// where that would take longer than the call has left. The default is 10.
  public var retriesPerSecond = 10

  /// What a limit of a server holds for.
  public enum LimitScope: Hashable, Sendable {
    /// All addresses with the same scheme, host and port.
    case origin
    /// The address of the call, whatever its query is.
    case address
    /// The call alone.
    case call
  }

  /// Creates the default policy.
  public init() {}

  /// Also the statuses that servers and gateways send for temporary faults of their own, for reads that go on for long.
  private static let statusesOfWalks = RetryPolicy().statuses.union([500, 507, 599])
    .union(520...530)

  /// The policy of a call that reads a page of a walk. If the program names no statuses, more of them are retried.
  package var ofWalks: RetryPolicy {
    guard statuses == RetryPolicy().statuses else { return self }
    var policy = self
    policy.statuses = Self.statusesOfWalks
    return policy
  }

  /// A policy without retries.
  public static var never: RetryPolicy {
    var policy = RetryPolicy()
    policy.attempts = 1
    return policy
  }
}

/// A failed exchange, with what decides about its retry.
struct RetryContext {
  /// The failure; an error status is a failure here.
  var failure: RequestError.Kind
  /// The delay that the server requests.
  var retryAfter: Duration?
  /// Whether the response is about a rate limit, or a pause of the service: a 503.
  var asksToWait = false
  /// How long the call has waited because the server asked for it.
  var limitWait: Duration = .zero
  /// The method of the exchange.
  var method: HTTPMethod
  /// Whether the request has an `Idempotency-Key`.
  var hasIdempotencyKey = false
  /// Whether a receiver already got bytes of a response.
  var receiverHasBytes = false
  /// Retries of the call so far.
  var retries = 0
  /// Whether the call was already repeated because an idle connection had closed.
  var usedFreshConnection = false
  /// Whether the call was already repeated because a response was damaged.
  var hasMended = false
  /// The remaining time of the call.
  var remaining: Duration
}

/// The decision about a failed exchange.
enum RetryDecision: Hashable {
  /// Retry.
  case retry(after: Duration, reason: String, freshConnection: Bool, Cost)
  /// Fail.
  case stop(Reason)

  /// What a retry takes from the limits of the call.
  enum Cost: Hashable {
    /// An attempt, and a retry of the budget.
    case attempt
    /// Nothing, as the server had closed an idle connection.
    case nothing
    /// The time that the server asked for, which is no part of the time limit.
    case wait
  }

  /// Why a failed call is not repeated.
  enum Reason: Hashable {
    /// The failure is permanent.
    case permanent
    /// Sending the request twice may do harm, or its response was already used.
    case notReplayable
    /// No attempts are left.
    case attempts
    /// The next attempt would start after the deadline.
    case deadline
    /// The server requests a longer delay than allowed.
    case retryAfter
  }
}

extension RetryPolicy {
  /// Decides about a failure. `random` is a number in `0 ..< 1`.
  func decide(_ failed: RetryContext, random: Double) -> RetryDecision {
    guard let trait = trait(of: failed) else { return .stop(.permanent) }
    guard attempts > 1 else { return .stop(.attempts) }
    let mayRepeat =
      trait.neverArrived || trait.wasRequested || failed.method.isIdempotent
      || failed.hasIdempotencyKey
    guard mayRepeat, !failed.receiverHasBytes else { return .stop(.notReplayable) }
    if trait.connectionWasStale, !failed.usedFreshConnection {
      return failed.remaining > .zero
        ? .retry(after: .zero, reason: trait.reason, freshConnection: true, .nothing)
        : .stop(.deadline)
    }
    // A server that asks for no time could be asked forever.
    let isWait =
      failed.asksToWait && failed.retryAfter ?? .zero > .zero && trait.requestedDelay == nil
    guard isWait || failed.retries < attempts - 1, !trait.isDamaged || !failed.hasMended else {
      return .stop(.attempts)
    }
    let requestedDelay = trait.requestedDelay ?? failed.retryAfter
    let longest = isWait ? maximumRetryAfter - failed.limitWait : maximumRetryAfter
    if let requestedDelay, requestedDelay > longest { return .stop(.retryAfter) }
    // Jitter on a delay that the server requests keeps its clients from retrying all at once.
    let doubled = baseDelay * Double(sign: .plus, exponent: min(failed.retries, 30), significand: 1)
    let delay =
      requestedDelay.map { $0 + baseDelay * random } ?? min(maximumDelay, doubled) * random
    guard (isWait ? .zero : delay) < failed.remaining else { return .stop(.deadline) }
    return .retry(
      after: delay, reason: trait.reason,
      freshConnection: trait.connectionWasStale || trait.isDamaged, isWait ? .wait : .attempt)
  }

  private struct Trait {
    var reason: String
    var neverArrived = false
    var wasRequested = false
    var connectionWasStale = false
    /// Whether the response was damaged, so that it is requested once more on a new connection.
    var isDamaged = false
    var requestedDelay: Duration?
  }

  /// Returns the properties of a temporary failure, or `nil` if it is permanent.
  private func trait(of failed: RetryContext) -> Trait? {
    switch failed.failure {
    case .status(403) where failed.asksToWait:
      statuses.contains(429) || statuses.contains(403)
        ? Trait(reason: "a rate limit, status 403") : nil
    case .status(let status):
      statuses.contains(status) ? Trait(reason: "status \(status)") : nil
    case .business where failed.failure.isTemporaryFailureOfService(retrying: statuses):
      Trait(reason: "a temporary error of the service")
    case .nameNotResolved: Trait(reason: "name not resolved", neverArrived: true)
    case .connectRefused: Trait(reason: "connection refused", neverArrived: true)
    case .connectFailed: Trait(reason: "no connection", neverArrived: true)
    case .offline: Trait(reason: "offline", neverArrived: true)
    case .timeout(.resolve), .timeout(.connect), .timeout(.handshake):
      Trait(reason: "connect timeout", neverArrived: true)
    case .timeout(.idle): Trait(reason: "idle timeout")
    case .sendFailed: Trait(reason: "sending failed")
    case .connectionLost(let bytes, let reused):
      Trait(reason: "connection lost", connectionWasStale: reused && bytes == 0)
    case .retryRequested(let after, let reason):
      Trait(reason: reason, wasRequested: true, requestedDelay: after)
    case .undecodable: Trait(reason: "a damaged body", isDamaged: true)
    case .protocolViolation: Trait(reason: "an invalid response", isDamaged: true)
    case .unexpectedContent(.captivePortal): Trait(reason: "a web page", isDamaged: true)
    case .unexpectedContent(.empty): Trait(reason: "an empty response", isDamaged: true)
    case .invalidRequest, .tls, .proxy, .timeout(.queue), .timeout(.total), .rateLimited, .tooLarge,
      .notStored, .redirect, .cancelled, .unexpectedContent(.mediaType), .business,
      .authentication, .receiverFailed, .unusable:
      nil
    }
  }
}

/// The retries that all calls to a host share, as a number per second. A failing service therefore doesn't get
/// many more requests than without retries.
///
/// A retry beyond the number waits for its turn. After a pause, a second's worth may come at once.
struct RetryBudget: Hashable, Sendable {
  /// The maximum number of hosts that are remembered.
  static let capacity = 256

  /// The time at which a host has its whole budget again.
  private var restored: [WebURL.Origin: Duration] = [:]

  /// The number of hosts that are remembered.
  var count: Int { restored.count }

  /// Reserves a retry and returns how long it has to wait; `nil` if that is longer than `longest`.
  mutating func reserve(
    _ origin: WebURL.Origin, perSecond: Int, atMost longest: Duration, now: Duration
  ) -> Duration? {
    let interval = Duration.seconds(1) / max(1, perSecond)
    let end = max(restored[origin] ?? now, now)
    let wait = max(.zero, end + interval - now - .seconds(1))
    guard wait <= longest else { return nil }
    if restored.count >= Self.capacity, restored[origin] == nil {
      restored = restored.filter { $0.value > now }
      if restored.count >= Self.capacity, let least = restored.min(by: { $0.value < $1.value }) {
        restored[least.key] = nil
      }
    }
    restored[origin] = end + interval
    return wait
  }
}
