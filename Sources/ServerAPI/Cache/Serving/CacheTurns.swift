internal import Synchronization

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

  /// Guards who is asking.
  private let asking = Mutex<[Subject: SharedWork<Void>]>([:])

  func enter(_ subject: Subject) -> Turn {
    asking.withLock { asking in
      if let work = asking[subject], let id = work.join() { return .wait(work, id: id) }
      asking[subject] = SharedWork(endsWithLast: false)
      return .first
    }
  }

  /// The one who asked is done, whatever came of it.
  func leave(_ subject: Subject) {
    asking.withLock { $0.removeValue(forKey: subject) }?.finish(.success(()))
  }
}
