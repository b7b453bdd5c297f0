internal import Support

/// Lets one call ask whether something stored is still good, while others that would ask the same wait
/// for what it hears.
final class CacheTurns: Sendable {
  /// What is being asked about.
  struct Subject: Hashable {
    var key: CacheKey
    var variant: String
  }

  /// A place in the line.
  enum Turn {
    /// It is up to this one to ask, and to say when it is done.
    case first
    /// Somebody else asks.
    case wait(SharedWork<Void>, id: Int)
  }

  /// How long nobody asks later for what was asked in vain, in seconds.
  private static let pause = 5.0

  /// Guards who is asking.
  private let asking = Lock<[Subject: SharedWork<Void>]>([:])
  /// Guards what is asked for later: until when nobody else begins.
  private let later = Lock<[CacheKey: Double]>([:])

  func enter(_ subject: Subject) -> Turn {
    asking.withLock { asking in
      if let work = asking[subject], let id = work.join() { return .wait(work, id: id) }
      asking[subject] = SharedWork(endsWithLast: false)
      return .first
    }
  }

  /// Whether it is time to ask again about what was given out stale.
  func beginLater(_ key: CacheKey, now: Double) -> Bool {
    later.withLock { later in
      if let end = later[key], end > now { return false }
      later = later.filter { $0.value > now }
      later[key] = .infinity
      return true
    }
  }

  /// It was asked again.
  func endLater(_ key: CacheKey, failed: Bool, now: Double) {
    later.withLock { $0[key] = failed ? now + Self.pause : nil }
  }

  /// The one who asked is done, whatever came of it.
  func leave(_ subject: Subject) {
    asking.withLock { $0.removeValue(forKey: subject) }?.finish(.success(()))
  }
}
