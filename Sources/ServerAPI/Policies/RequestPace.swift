internal import Support

/// Decides when a request may be sent, so that a program sends no more of them than it wants.
///
/// ``RequestPace`` is the usual one. Implement another one where several processes share a limit, for example by a row of a
/// database.
public protocol RequestPacing: Sendable {
  /// Waits until a request may be sent, and counts it as sent.
  ///
  /// - Parameter weight: How many usual requests it counts as: ``Call/weight``.
  /// - Throws: An error if the task is cancelled meanwhile; the request is then not counted.
  func waitForTurn(weight: Double) async throws
}

/// A limit on how many requests are sent per time, which servers can share.
///
/// ```swift
/// let pace = RequestPace(perSecond: 5)
/// let books = Server("https://api.example.com") { $0.pace = pace }
/// let covers = Server("https://covers.example.com") { $0.pace = pace }
/// ```
///
/// Every request counts that is sent to a server, also those of retries, redirects and later pages; what the cache serves does
/// not. Requests are sent in the order in which they began to wait. Their waits are no part of any time limit, and monitors
/// learn of them as ``Call/Event/paced(for:)``.
public final class RequestPace: RequestPacing {
  private let time: TimeSource
  private let schedule: Lock<PaceSchedule>
  private let line = WaitingLine()
  /// What is wrong with the limit, if anything is.
  let defect: String?

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - perSecond: The number of requests per second; less than 1 for a limit per minute or hour.
  ///   - burst: The number of requests that may be sent at once after a pause. With 1, they are spread evenly.
  ///   - time: The clock.
  public init(perSecond: Double, burst: Int = 1, time: TimeSource = .system) {
    self.time = time
    let isPossible = perSecond >= 1e-9 && perSecond <= 1e9
    defect =
      !isPossible
      ? "pace is \(perSecond) requests per second, expected more than zero"
      : burst < 1 ? "pace has bursts of \(burst) requests, expected at least 1" : nil
    schedule = Lock(
      PaceSchedule(interval: .seconds(isPossible ? 1 / perSecond : 0), burst: max(1, burst)))
  }

  /// Waits until a request may be sent, and counts it.
  public func waitForTurn(weight: Double = 1) async throws {
    guard weight > 0 else { return }
    // Only the first in line waits for the clock.
    try await line.enter()
    defer { line.leave() }
    while let wait = schedule.withLock({ $0.start(weight: weight, now: time.now()) }) {
      try await time.sleep(wait)
    }
  }
}

/// When the next request may be sent.
struct PaceSchedule: Hashable {
  /// The time that a request of weight 1 takes of the limit.
  private let interval: Duration
  /// How long before its time a request may be sent.
  private let lead: Duration
  /// The time at which all requests so far would have been sent at even distances, and one more could be.
  private var next: Duration = .zero

  /// The greatest weight and burst, so that no time overflows.
  private static let most = 1e6

  init(interval: Duration, burst: Int) {
    self.interval = interval
    lead = interval * (min(Double(burst), Self.most) - 1)
  }

  /// Counts a request if it may be sent now; otherwise returns how long that takes.
  mutating func start(weight: Double, now: Duration) -> Duration? {
    guard next - lead <= now else { return next - lead - now }
    next = max(next, now) + interval * min(weight, Self.most)
    return nil
  }
}

/// Lets one task after the other pass, in the order of their arrival.
final class WaitingLine: Sendable {
  private struct State {
    var isTaken = false
    var lastNumber = 0
    var waiting: [(number: Int, resume: CheckedContinuation<Void, any Error>)] = []
    /// The tasks that are about to wait, except those that were cancelled meanwhile.
    var arriving: Set<Int> = []
  }

  private let state = Lock(State())

  /// Waits until all that came before have left. Throws if the task is cancelled.
  func enter() async throws {
    let number = state.withLock { state -> Int? in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      state.lastNumber += 1
      state.arriving.insert(state.lastNumber)
      return state.lastNumber
    }
    guard let number else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          guard state.arriving.remove(number) != nil else { return .failure(CancellationError()) }
          guard state.isTaken else {
            state.isTaken = true
            return .success(())
          }
          // One that arrived later may be here earlier.
          let place = state.waiting.firstIndex { $0.number > number } ?? state.waiting.endIndex
          state.waiting.insert((number, continuation), at: place)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        state.arriving.remove(number)
        return state.waiting.firstIndex { $0.number == number }.map {
          state.waiting.remove(at: $0).resume
        }
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// Lets the next one pass.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst().resume
    }
    next?.resume()
  }
}
