internal import Support

/// The revalidations in flight. One call validates a stored response, and others that need the same
/// validation wait for it.
final class Revalidations: Sendable {
  /// The stored response to validate.
  struct Target: Hashable {
    var key: CacheKey
    var variant: String
  }

  /// The role of a call in a revalidation.
  enum Role {
    /// The call sends the request, and must call ``finish(_:)``.
    case leader
    /// The call waits for the one that sends the request.
    case follower(SharedWork<Void>, id: Int)
  }

  /// The delay before another background revalidation after a failed one, in seconds.
  private static let retryDelay = 5.0

  /// Guards the revalidations in flight.
  private let inFlight = Lock<[Target: SharedWork<Void>]>([:])
  /// Guards the background revalidations: the time before which a key is not revalidated again.
  private let background = Lock<[CacheKey: Double]>([:])

  func join(_ target: Target) -> Role {
    inFlight.withLock { inFlight in
      if let work = inFlight[target], let id = work.join() { return .follower(work, id: id) }
      inFlight[target] = SharedWork(endsWithLast: false)
      return .leader
    }
  }

  /// Starts a background revalidation of a response that was served stale. Returns `false` if one is in
  /// flight or has just failed.
  func beginBackground(_ key: CacheKey, now: Double) -> Bool {
    background.withLock { background in
      if let end = background[key], end > now { return false }
      background = background.filter { $0.value > now }
      background[key] = .infinity
      return true
    }
  }

  /// Ends a background revalidation.
  func endBackground(_ key: CacheKey, failed: Bool, now: Double) {
    background.withLock { $0[key] = failed ? now + Self.retryDelay : nil }
  }

  /// Ends a revalidation, successful or not.
  func finish(_ target: Target) {
    inFlight.withLock { $0.removeValue(forKey: target) }?.finish(.success(()))
  }
}
