internal import ServerAPI

/// Holds answers back until a test lets them go, so that what overtakes what is chosen.
///
/// ```swift
/// let gate = Gate()
/// let transport = MockTransport { _ in .json("[]").held(by: gate) }
/// async let response = server.send(Call("/books"))
/// await gate.reached()        // the request is under way
/// gate.open()                 // now the answer comes
/// ```
///
/// An open gate stays open and holds nobody. One gate may hold several answers.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var cancellations = 0
  }

  private let state = Awaitable(State())

  /// Makes a gate that is shut.
  public init() {}

  /// Whether answers pass.
  public var isOpen: Bool { state.value.isOpen }

  /// How many have come to the gate since it was made.
  public var arrivals: Int { state.value.arrivals }

  /// How many of them were cancelled before it opened.
  public var cancellations: Int { state.value.cancellations }

  /// Lets go everything that is held, and everything that comes later.
  public func open() { state.update { $0.isOpen = true } }

  /// Returns when `count` answers have come to the gate since it was made, or when the calling task
  /// is cancelled.
  public func reached(by count: Int = 1) async {
    try? await state.wait { $0.arrivals >= count }
  }

  /// Returns when `count` of those who came were cancelled before the gate opened, or when the calling
  /// task is cancelled.
  public func cancelled(by count: Int = 1) async {
    try? await state.wait { $0.cancellations >= count }
  }

  /// Comes to the gate and returns when it is open; throws `CancellationError` when the task is
  /// cancelled before.
  ///
  /// A mock does this for an answer that is ``MockResponse/held(by:afterBytes:)``. Use it yourself to
  /// hold anything else, such as the receiver of a streamed body.
  public func pass() async throws {
    try await withTaskCancellationHandler {
      state.update { $0.arrivals += 1 }
      try await state.wait { $0.isOpen }
    } onCancel: {
      state.update { if !$0.isOpen { $0.cancellations += 1 } }
    }
  }
}

extension Gate {
  /// What a wait with a limit came to.
  enum Passage: Sendable { case opened, timedOut, cancelled }

  /// Waits for the gate, but no longer than `span`. The timer runs before the arrival shows in
  /// ``reached(by:)``, so a test may move its clock as soon as that returns.
  func pass(within span: Duration, of time: TimeSource) async -> Passage {
    await withTaskGroup(of: Passage.self) { group in
      group.addImmediateTask {
        do { try await time.sleep(span) } catch { return .cancelled }
        return .timedOut
      }
      group.addImmediateTask {
        do { try await pass() } catch { return .cancelled }
        return .opened
      }
      let first = await group.next() ?? .cancelled
      group.cancelAll()
      return first
    }
  }
}
