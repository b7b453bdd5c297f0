internal import Support

/// The memory that the bodies of all responses in flight may take together, with what is parsed from them.
package final class MemoryBudget: Sendable {
  private struct State {
    /// The bytes that are taken.
    var taken = 0
    var nextID = 0
    /// The tasks that wait until half is free.
    var waiters: [(id: Int, continuation: UnsafeContinuation<Void, Never>)] = []
  }

  /// The number of bytes.
  package let total: Int
  /// Guards the bytes and the waiters; held for an addition, and continuations are resumed after it is released.
  private let state = Lock(State())

  /// Creates a budget of a number of bytes.
  package init(_ total: Int) { self.total = total }

  package func share() -> Share { Share(self) }

  private func take(_ count: Int) -> Bool {
    state.withLock { state in
      guard state.taken + count <= total else { return false }
      state.taken += count
      return true
    }
  }

  private func giveBack(_ count: Int) {
    let waiters = state.withLock { state in
      state.taken -= count
      guard state.taken <= total / 2 else { return [] as [UnsafeContinuation<Void, Never>] }
      defer { state.waiters = [] }
      return state.waiters.map(\.continuation)
    }
    guard !waiters.isEmpty else { return }
    HandOver.willResume(self)
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until half of it is free, at most `longest`. Returns at once where the task is cancelled.
  package func waitUntilHalfIsFree(atMost longest: Duration, _ time: TimeSource) async {
    await withTaskGroup { group in
      group.addTask { await self.waitUntilHalfIsFree() }
      group.addTask { try? await time.sleepToLimit(longest) }
      await group.next()
      group.cancelAll()
    }
  }

  private func waitUntilHalfIsFree() async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let waits = state.withLock { state in
          guard state.taken > total / 2, !Task.isCancelled else { return false }
          state.waiters.append((id, continuation))
          return true
        }
        if !waits {
          HandOver.willResume(self)
          continuation.resume()
        }
      }
      HandOver.didResume(self)
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).continuation }
      }
      HandOver.willResume(self)
      waiter?.resume()
    }
  }

  /// What one body, or what is parsed from it, takes of a budget until it is released.
  package final class Share: Sendable {
    private let budget: MemoryBudget
    private let count = Lock(0)

    fileprivate init(_ budget: MemoryBudget) { self.budget = budget }

    deinit { budget.giveBack(count.withLock { $0 }) }

    package var total: Int { budget.total }

    /// Takes as much as is missing to a number of bytes; returns `false` if the budget has less.
    package func grow(to wanted: Int) -> Bool {
      count.withLock { count in
        // In steps, so that few bytes cost nothing.
        guard wanted > count else { return true }
        let step = max(wanted - count, min(64 << 10, budget.total / 16))
        guard budget.take(step) else { return false }
        count += step
        return true
      }
    }

    /// Returns another share of the same budget.
    fileprivate func other() -> Share { Share(budget) }
  }
}

extension HTTPResponse {
  /// Takes the memory that the JSON of the body will take when it is parsed; `nil` without a budget. Throws if there is
  /// too little.
  package func shareForParsing(to method: HTTPMethod) throws(RequestError) -> MemoryBudget.Share? {
    guard let share = body.share?.other() else { return nil }
    let size = body.parsedSize
    guard share.grow(to: size) else {
      var error = RequestError(.tooLarge(.memory, allowed: share.total))
      error.request = "\(method.rawValue) \(Redaction.usual.url(url))"
      error.timings.decodedBytes = body.count
      error.parsedBytes = size
      throw error
    }
    return share
  }
}

extension ResponseBody {
  /// About the memory that the JSON takes when it is parsed: the texts, and a few words for each value.
  fileprivate var parsedSize: Int {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return 24 }
      let text = start.assumingMemoryBound(to: UInt8.self)
      var values = 1
      // Blocks whose number of values fits in a byte: the compiler compares many bytes at once then, which is 15 times
      // as fast.
      for block in stride(from: 0, to: bytes.count, by: 128) {
        var count: UInt8 = 0
        for index in block..<min(block + 128, bytes.count) {
          let byte = text[index]
          // A comma, a colon, or either opening bracket.
          count &+= (byte == 0x2C ? 1 : 0) | (byte == 0x3A ? 1 : 0) | (byte & 0xDF == 0x5B ? 1 : 0)
        }
        values &+= Int(count)
      }
      return bytes.count + 24 * values
    }
  }
}
