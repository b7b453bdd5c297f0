internal import Support

/// Holds answers at a moment until the test lets them go on.
///
/// ```swift
/// let gate = try LoopbackGate()
/// server.enqueue(.text("late").held(by: gate))
/// let call = Task { try await client.get("/") }
/// await gate.reached()        // the server has the request and waits
/// gate.open()
/// ```
///
/// While an answer is held its client is watched: one that closes, or only finishes writing, counts
/// as gone and its connection ends.
public final class LoopbackGate: Sendable {
  /// Readable, as its other end is closed, once the gate is open: connection threads wait for it
  /// and for their client in one call.
  let signal: LoopbackSocket
  private let arrivals = Counter()
  /// The end whose closing opens the gate.
  private let latch: Lock<LoopbackSocket?>

  /// A closed gate; fails only when the process has no descriptor left.
  public init() throws(LoopbackError) {
    let (signal, latch) = try LoopbackSocket.pair()
    self.signal = signal
    self.latch = Lock(latch)
  }

  /// Lets go what waits now and whatever comes later.
  public func open() {
    let latch = latch.withLock { latch in
      defer { latch = nil }
      return latch
    }
    withExtendedLifetime(latch) {}
  }

  /// Waits until that many answers have come to the gate, whether or not it is open.
  ///
  /// Returns early when the waiting task is cancelled.
  public func reached(_ count: Int = 1) async { _ = await arrivals.reaches(count) }

  func arrive() { arrivals.add() }
}

/// A point in the life of one exchange, in the order in which they pass.
///
/// An answer that a handler makes is known only at ``requestRead``; what is bound to an earlier
/// moment then happens at once. Scripted answers know theirs from ``accepted`` on.
public enum LoopbackMoment: Hashable, Sendable {
  /// The connection is open and nothing has been read.
  case accepted
  /// The request's head has been read, its body has not.
  case requestHeadRead
  /// The whole request has been read.
  case requestRead
  /// Half of the answer's head has been sent.
  case headStarted
  /// The answer's head has been sent.
  case headSent
  /// That many bytes after the head have been sent, the framing of chunks included; all of them
  /// when there are fewer.
  case bodySent(Int)
  /// The whole answer has been sent and the connection rests.
  case responseSent
  /// The first byte of the next request on the connection has arrived and is left unread.
  case reused
}
