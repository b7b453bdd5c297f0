extension Server {
  /// Sends several calls, a few at a time.
  ///
  /// ```swift
  /// let batch = await server.batch(ids.map { Call("/books/\($0)") }, policy: .all)
  /// ```
  ///
  /// When the policy is decided, the calls in flight are cancelled; so are all calls when the task is
  /// cancelled. The results before that are kept.
  ///
  /// - Parameters:
  ///   - width: The number of calls in flight at once, at least one. The default is 4.
  ///   - policy: When the batch ends. The default sends every call.
  ///   - progress: Called after each call with the number of ended calls and of all calls.
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
        // After the decision, a call was cancelled, or its response is not needed any more.
        guard !tally.isOver else { continue }
        results[ended.index] = ended.result
        tally.record(success: (try? ended.result.get()) != nil)
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

  /// Sends calls one after another; each one depends on the response before it.
  ///
  /// ```swift
  /// let responses = try await server.chain(Call("/login")) { response in
  ///   response.url.path == "/login" ? Call("/profile") : nil
  /// }
  /// ```
  ///
  /// The first failure ends the chain. `next` returns the next call, or `nil` at the end.
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

/// The index and result of an ended call.
private struct EndedCall: Sendable {
  let index: Int
  let result: Result<HTTPResponse, RequestError>
}

extension Server.Batch {
  /// When a batch of calls ends.
  public enum Policy: Hashable, Sendable {
    /// Every call is sent, even if others fail.
    case collect
    /// All calls must succeed; the first failure ends the batch.
    case all
    /// One call must succeed; the first success ends the batch.
    case any
    /// This many calls must succeed; the batch ends when they have, or when they no longer can.
    case quorum(Int)
  }
}

extension Server {
  /// The results of several calls.
  public struct Batch: Sendable {
    /// One result per call, in the order of the calls; `nil` if the batch ended before the call.
    public var results: [Result<HTTPResponse, RequestError>?]
    /// Whether the policy was fulfilled.
    public var isFulfilled: Bool

    /// The responses of the successful calls, in the order of the calls.
    public var responses: [HTTPResponse] { results.compactMap { try? $0?.get() } }

    /// The first failure in the order of the calls.
    public var firstError: RequestError? {
      for case .failure(let error)? in results { return error }
      return nil
    }
  }
}

/// Decides when a batch ends.
struct BatchTally: Hashable {
  private let needed: Int
  private let tolerated: Int
  private let endsEarly: Bool
  private var successes = 0
  private var failures = 0

  /// A quorum beyond the number of calls can't be reached, so the batch ends at once.
  init(_ policy: Server.Batch.Policy, count: Int) {
    switch policy {
    case .collect: (needed, endsEarly) = (count, false)
    case .all: (needed, endsEarly) = (count, true)
    case .any: (needed, endsEarly) = (1, true)
    case .quorum(let wanted): (needed, endsEarly) = (max(0, wanted), true)
    }
    tolerated = count - needed
  }

  /// Records the end of a call.
  mutating func record(success: Bool) {
    if success { successes += 1 } else { failures += 1 }
  }

  /// Whether the policy is decided, so that no further call is needed.
  var isOver: Bool { endsEarly && (isFulfilled || failures > tolerated) }

  /// Whether the policy is fulfilled.
  var isFulfilled: Bool { successes >= needed }

  /// The number of ended calls.
  var done: Int { successes + failures }
}
