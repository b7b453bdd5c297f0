/// What became of several calls.
public struct Batch: Sendable {
  /// One entry per call, in the order of the calls; `nil` where the batch was over before the call
  /// had ended.
  public var results: [Result<HTTPResponse, RequestError>?]
  /// Whether the policy got what it asked for.
  public var isFulfilled: Bool

  /// The answers in the order of the calls, without those that are missing.
  public var responses: [HTTPResponse] { results.compactMap { try? $0?.get() } }

  /// The first failure in the order of the calls.
  public var firstError: RequestError? {
    for case .failure(let error)? in results { return error }
    return nil
  }
}

/// Decides when a batch is over.
struct BatchTally: Hashable {
  private let needed: Int
  private let tolerated: Int
  private let endsEarly: Bool
  private var successes = 0
  private var failures = 0

  /// A quorum beyond the number of calls can't be reached and is over at once.
  init(_ policy: BatchPolicy, count: Int) {
    switch policy {
    case .collect: (needed, endsEarly) = (count, false)
    case .all: (needed, endsEarly) = (count, true)
    case .any: (needed, endsEarly) = (1, true)
    case .quorum(let wanted): (needed, endsEarly) = (max(0, wanted), true)
    }
    tolerated = count - needed
  }

  /// Notes the end of one call.
  mutating func note(success: Bool) {
    if success { successes += 1 } else { failures += 1 }
  }

  /// Whether no further call can change the verdict, or the policy wants no more.
  var isOver: Bool { endsEarly && (isFulfilled || failures > tolerated) }

  /// Whether the policy got what it asked for.
  var isFulfilled: Bool { successes >= needed }

  /// How many calls have ended.
  var done: Int { successes + failures }
}
