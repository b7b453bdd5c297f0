extension Server {
  /// Makes several calls, a few at a time.
  ///
  /// ```swift
  /// let batch = await server.batch(ids.map { Call("/books/\($0)") }, policy: .all)
  /// ```
  ///
  /// Calls still under way when the policy has its verdict are cancelled, and so are all of them
  /// when the task is cancelled. What came in before that stays in the result.
  ///
  /// - Parameters:
  ///   - width: How many calls may be under way at once; at least one. The default is 4.
  ///   - policy: When the batch is over. The default makes every call.
  ///   - progress: Told after each call how many of all have ended.
  public func batch(
    _ calls: [Call], width: Int = 4, policy: Server.Batch.Policy = .collect,
    progress: ((_ done: Int, _ of: Int) -> Void)? = nil
  ) async -> Server.Batch {
    var tally = BatchTally(policy, count: calls.count)
    var results = [Result<HTTPResponse, RequestError>?](repeating: nil, count: calls.count)
    await withTaskGroup(of: EndedCall.self) { group in
      var next = 0
      func startOne() {
        guard next < calls.count, !tally.isOver else { return }
        let (index, call) = (next, calls[next])
        next += 1
        group.addTask { EndedCall(index: index, result: await result(of: call)) }
      }
      for _ in 0..<min(max(1, width), calls.count) { startOne() }
      while let ended = await group.next() {
        // What ends after the verdict was cancelled by it, or is one answer more than needed.
        guard !tally.isOver else { continue }
        results[ended.index] = ended.result
        tally.note(success: (try? ended.result.get()) != nil)
        progress?(tally.done, calls.count)
        if tally.isOver { group.cancelAll() }
        startOne()
      }
    }
    return Server.Batch(results: results, isFulfilled: tally.isFulfilled)
  }

  private func result(of call: Call) async -> Result<HTTPResponse, RequestError> {
    do throws(RequestError) { return .success(try await send(call)) } catch {
      return .failure(error)
    }
  }

  /// Makes calls one after another, each decided by the answer before it.
  ///
  /// ```swift
  /// let answers = try await server.chain(Call("/login")) { answer in
  ///   answer.url.path == "/login" ? Call("/profile") : nil
  /// }
  /// ```
  ///
  /// The first failure ends the chain. `next` returns the call to follow, or `nil` at the end.
  public func chain(
    _ first: Call, next: (HTTPResponse) async throws(RequestError) -> Call?
  ) async throws(RequestError) -> [HTTPResponse] {
    var responses: [HTTPResponse] = []
    var call: Call? = first
    while let current = call {
      let response = try await send(current)
      responses.append(response)
      call = try await next(response)
    }
    return responses
  }
}

/// One call of a batch and how it ended.
private struct EndedCall: Sendable {
  let index: Int
  let result: Result<HTTPResponse, RequestError>
}

extension Server.Batch {
  /// When a batch of calls is over.
  public enum Policy: Hashable, Sendable {
    /// Every call is made, whatever happens to the others.
    case collect
    /// All must succeed: the first failure ends the batch.
    case all
    /// One success is enough and ends the batch.
    case any
    /// That many successes are needed; the batch ends when they are there or out of reach.
    case quorum(Int)
  }
}

extension Server {
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
}

/// Decides when a batch is over.
struct BatchTally: Hashable {
  private let needed: Int
  private let tolerated: Int
  private let endsEarly: Bool
  private var successes = 0
  private var failures = 0

  /// A quorum beyond the number of calls can't be reached and is over at once.
  init(_ policy: Server.Batch.Policy, count: Int) {
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
