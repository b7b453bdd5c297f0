/// What happens to a list, one step after the other, for as long as it is listened to.
///
/// ```swift
/// for await step in books.events {
///   switch step.event {
///   case .didChange(let change): table.apply(change, to: step.rows)
///   case .didDropEvents: table.reload(step.rows)
///   default: break
///   }
/// }
/// ```
///
/// Each loop gets every step from the moment it begins. Any number may run at once, and none holds up
/// the list or another one: a consumer that lets more than ``limit`` steps wait loses them all and is
/// told how many by ``ListEvent/didDropEvents(_:)``, with the rows as they are then. The loop ends when the
/// list is gone.
///
/// Steps carry items, which belong to the main actor; so the loop runs there.
@MainActor public struct ListEvents<Item> {
  /// How many steps may wait for a consumer.
  public static var limit: Int { 1_024 }

  /// Held weakly: whoever listens does not keep the list alive.
  private weak let board: ListEventBoard<Item>?

  init(board: ListEventBoard<Item>) { self.board = board }
}

extension ListEvents {
  /// One thing that happened to a list, and the rows as it left them.
  public struct Step {
    /// What happened.
    public let event: ListEvent
    /// The rows right after it.
    public let rows: ListSnapshot<Item>
  }
}

extension ListEvents: @MainActor AsyncSequence {
  /// Begins to listen.
  public func makeAsyncIterator() -> Iterator {
    let queue = ListEventQueue<Item>()
    if let board { board.add(queue) } else { queue.close() }
    return Iterator(queue: queue)
  }

  /// One consumer.
  @MainActor public struct Iterator: @MainActor AsyncIteratorProtocol {
    fileprivate let queue: ListEventQueue<Item>

    /// The next step, or `nil` when the list or the task is gone.
    public mutating func next() async -> ListEvents<Item>.Step? { await queue.next() }
  }
}

/// Wants every step of a list, in the moment it is told.
@MainActor package protocol ListFollower<Item>: AnyObject {
  associatedtype Item

  func notify(_ step: ListEvents<Item>.Step)
  /// The list is gone.
  func close()
}

/// Hands each step to every follower that is still there.
@MainActor final class ListEventBoard<Item> {
  private struct Place {
    weak var follower: (any ListFollower<Item>)?
  }

  private var places: [Place] = []

  nonisolated init() {}

  isolated deinit {
    for place in places { place.follower?.close() }
  }

  func add(_ follower: some ListFollower<Item>) { places.append(Place(follower: follower)) }

  func notify(_ step: ListEvents<Item>.Step) {
    guard !places.isEmpty else { return }
    places.removeAll { $0.follower == nil }
    for place in places { place.follower?.notify(step) }
  }
}

/// The steps that wait for one consumer.
@MainActor final class ListEventQueue<Item>: ListFollower {
  private var steps: [ListEvents<Item>.Step] = []
  private var isClosed = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// How many steps were not taken, those that were lost before included.
  private var waiting: Int {
    if case .didDropEvents(let lost)? = steps.first?.event {
      lost + steps.count - 1
    } else {
      steps.count
    }
  }

  func notify(_ step: ListEvents<Item>.Step) {
    if steps.count == ListEvents<Item>.limit {
      steps = [ListEvents<Item>.Step(event: .didDropEvents(waiting + 1), rows: step.rows)]
    } else {
      steps.append(step)
    }
    wake()
  }

  func close() {
    isClosed = true
    wake()
  }

  func next() async -> ListEvents<Item>.Step? {
    while steps.isEmpty, !isClosed, !Task.isCancelled {
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiters.append($0) }
      } onCancel: {
        Task { @MainActor in wake() }
      }
    }
    return steps.isEmpty || Task.isCancelled ? nil : steps.removeFirst()
  }

  private func wake() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}
