internal import Synchronization

/// Holds answers at a moment until the test lets them go on.
///
/// ```swift
/// let gate = try LoopbackGate()
/// server.enqueue(.text("late").held(by: gate))
/// let call = Task { try await client.get("/") }
/// await gate.reached()        // the server has the request and waits
/// gate.open()
/// ```
public final class LoopbackGate: Sendable {
  /// Readable, as its other end is closed, once the gate is open: connection threads wait for it
  /// and for their client in one call.
  let signal: LoopbackSocket
  private let arrivals = LoopbackTally()
  /// The end whose closing opens the gate.
  private let latch: Mutex<LoopbackSocket?>

  /// A closed gate; fails only when the process has no descriptor left.
  public init() throws(LoopbackError) {
    let (signal, latch) = try LoopbackSocket.pair()
    self.signal = signal
    self.latch = Mutex(latch)
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
  public func reached(_ count: Int = 1) async { _ = await arrivals.reach(count) }

  func arrive() { arrivals.add() }
}
