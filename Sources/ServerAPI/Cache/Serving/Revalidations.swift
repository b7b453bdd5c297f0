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
    /// The call waits for the one that sends the request, whose waits for limits are its own meanwhile.
    case follower(SharedWork<Void>, id: Int, waits: LimitWaits)
  }

  /// Whether a key may be revalidated in the background.
  private enum Background {
    case running
    /// The last revalidation has failed. The time is monotonic: the wall clock may be set back.
    case paused(until: Duration)

    func isOver(at now: Duration) -> Bool {
      if case .paused(let end) = self { end <= now } else { false }
    }
  }

  /// The delay before another background revalidation after a failed one.
  private static let retryDelay = Duration.seconds(5)

  /// Guards the revalidations in flight, with the waits of their leaders.
  private let inFlight = Lock<[Target: (work: SharedWork<Void>, waits: LimitWaits)]>([:])
  /// Guards the background revalidations.
  private let background = Lock<[CacheKey: Background]>([:])

  func join(_ target: Target, _ waits: LimitWaits) -> Role {
    inFlight.withLock { inFlight in
      if let (work, waits) = inFlight[target], let id = work.join() {
        return .follower(work, id: id, waits: waits)
      }
      inFlight[target] = (SharedWork(endsWithLast: false), waits)
      return .leader
    }
  }

  /// Starts a background revalidation of a response that was served stale. Returns `false` if one is in
  /// flight or has just failed.
  func beginBackground(_ key: CacheKey, now: Duration) -> Bool {
    background.withLock { background in
      background = background.filter { !$0.value.isOver(at: now) }
      guard background[key] == nil else { return false }
      background[key] = .running
      return true
    }
  }

  /// Ends a background revalidation.
  func endBackground(_ key: CacheKey, failed: Bool, now: Duration) {
    background.withLock { $0[key] = failed ? .paused(until: now + Self.retryDelay) : nil }
  }

  /// Ends a revalidation, successful or not.
  func finish(_ target: Target) {
    inFlight.withLock { $0.removeValue(forKey: target) }?.work.finish(.success(()))
  }
}
