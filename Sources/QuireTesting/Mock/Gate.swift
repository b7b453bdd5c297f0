internal import ServerAPI

/// Holds responses until a test releases them, so that the test chooses their order.
///
/// ```swift
/// let gate = Gate()
/// let transport = MockTransport { _ in .json("[]").held(by: gate) }
/// async let response = server.send(Call("/books"))
/// await gate.reached()        // the request is in flight
/// gate.open()                 // now the response arrives
/// ```
///
/// An open gate stays open and holds nothing. One gate can hold several responses.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var cancellations = 0
  }

  private let state = Awaitable(State())

  /// Creates a closed gate.
  public init() {}

  /// Whether the gate is open.
  public var isOpen: Bool { state.value.isOpen }

  /// The number of arrivals since the gate was created.
  public var arrivals: Int { state.value.arrivals }

  /// The number of arrivals that were cancelled before the gate opened.
  public var cancellations: Int { state.value.cancellations }

  /// Releases everything that is held, and everything that arrives later.
  public func open() { state.update { $0.isOpen = true } }

  /// Waits until `count` responses have arrived at the gate since it was created, or until the calling task is
  /// cancelled.
  public func reached(by count: Int = 1) async {
    try? await state.wait { $0.arrivals >= count }
  }

  /// Waits until `count` arrivals were cancelled before the gate opened, or until the calling task is
  /// cancelled.
  public func cancelled(by count: Int = 1) async {
    try? await state.wait { $0.cancellations >= count }
  }

  /// Waits until the gate is open; throws `CancellationError` if the task is cancelled first.
  ///
  /// A mock calls this for a response that is ``MockResponse/held(by:afterBytes:)``. Call it yourself to hold
  /// anything else, such as the receiver of a streamed body.
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
  /// The result of a wait with a limit.
  enum Passage: Sendable { case opened, timedOut, cancelled }

  /// Waits for the gate, but no longer than `span`. The timer starts before the arrival counts in
  /// ``reached(by:)``, so a test can advance its clock as soon as that returns. On Apple systems before version 26 the two
  /// start in any order, and a test waits for the sleeper of its clock first.
  func pass(within span: Duration, of time: TimeSource) async -> Passage {
    await withTaskGroup(of: Passage.self) { group in
      group.start {
        do { try await time.sleep(span) } catch { return .cancelled }
        return .timedOut
      }
      group.start {
        do { try await self.pass() } catch { return .cancelled }
        return .opened
      }
      let first = await group.next() ?? .cancelled
      group.cancelAll()
      return first
    }
  }
}

extension TaskGroup where ChildTaskResult == Gate.Passage {
  /// Adds a task whose first step runs at once, where the system can do so.
  fileprivate mutating func start(_ work: sending @escaping @isolated(any) () async -> Gate.Passage) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      addImmediateTask(operation: work)
    } else {
      addTask(operation: work)
    }
  }
}
