internal import Support

/// Holds responses at a moment until the test releases them.
///
/// ```swift
/// let gate = try LoopbackGate()
/// server.enqueue(.text("late").held(by: gate))
/// let call = Task { try await client.get("/") }
/// await gate.reached()        // the server has the request and waits
/// gate.open()
/// ```
///
/// While a response is held, its client is watched: if it closes, even only its writing side, it counts as gone
/// and its connection ends.
public final class LoopbackGate: Sendable {
  /// Readable once the gate is open, because its other end is closed: connection threads wait for it and for
  /// their client in one call.
  let signal: LoopbackSocket
  private let arrivals = Counter()
  /// The end whose closing opens the gate.
  private let latch: Lock<LoopbackSocket?>

  /// Creates a closed gate; fails only if the process has no descriptors left.
  public init() throws(LoopbackError) {
    let (signal, latch) = try LoopbackSocket.pair()
    self.signal = signal
    self.latch = Lock(latch)
  }

  /// Releases everything that waits now or arrives later.
  public func open() {
    let latch = latch.withLock { latch in
      defer { latch = nil }
      return latch
    }
    withExtendedLifetime(latch) {}
  }

  /// Waits until that many responses have arrived at the gate, whether or not it is open.
  ///
  /// Returns early if the waiting task is cancelled.
  public func reached(_ count: Int = 1) async { _ = await arrivals.reaches(count) }

  func arrive() { arrivals.add() }
}

/// A moment of an exchange, in order of time.
///
/// The response of a handler is known only at ``requestRead``; anything bound to an earlier moment then happens
/// at once. Scripted responses are known from ``accepted`` on.
public enum LoopbackMoment: Hashable, Sendable {
  /// The connection is open and nothing has been read.
  case accepted
  /// The request's head has been read, but not its body.
  case requestHeadRead
  /// The whole request has been read.
  case requestRead
  /// Half of the response's head has been sent.
  case headStarted
  /// The response's head has been sent.
  case headSent
  /// That many bytes after the head have been sent, including the framing of chunks; all of them if there are
  /// fewer.
  case bodySent(Int)
  /// The whole response has been sent and the connection is idle.
  case responseSent
  /// The first byte of the next request on the connection has arrived, but is not read.
  case reused
}
