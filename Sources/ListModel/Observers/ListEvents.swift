/// An asynchronous sequence of the events of a list.
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
/// Each loop receives every step from its start on. Any number of loops may run at once, and none delays
/// the list or another loop. If more than ``limit`` steps wait for a consumer, it loses them all and
/// receives their number as ``ListEvent/didDropEvents(_:)``, with the rows at that time. The loop ends when
/// the list is released.
///
/// Steps contain items, which belong to the main actor, so the loop runs there.
@MainActor public struct ListEvents<Item> {
  /// The maximum number of steps that wait for a consumer.
  public static var limit: Int { 1_024 }

  /// Held weakly: a consumer does not keep the list alive.
  private weak let board: ListEventBoard<Item>?

  init(board: ListEventBoard<Item>) { self.board = board }
}

extension ListEvents {
  /// One event of a list, with the rows after it.
  public struct Step {
    /// The event.
    public let event: ListEvent
    /// The rows right after the event.
    public let rows: ListSnapshot<Item>
  }
}

extension ListEvents: @MainActor AsyncSequence {
  /// Starts to observe.
  public func makeAsyncIterator() -> Iterator {
    let queue = ListEventQueue<Item>()
    if let board { board.add(queue) } else { queue.close() }
    return Iterator(queue: queue)
  }

  /// The steps for one consumer.
  @MainActor public struct Iterator: @MainActor AsyncIteratorProtocol {
    fileprivate let queue: ListEventQueue<Item>

    /// Returns the next step, or `nil` when the list is released or the task cancelled.
    public mutating func next() async -> ListEvents<Item>.Step? { await queue.next() }
  }
}

/// An object that is notified of every step of a list at the moment it is delivered.
@MainActor package protocol ListObserver<Item>: AnyObject {
  associatedtype Item

  func notify(_ step: ListEvents<Item>.Step)
  /// The list was released.
  func close()
}

/// Notifies the followers that still exist of each step.
@MainActor final class ListEventBoard<Item> {
  private struct Place {
    weak var follower: (any ListObserver<Item>)?
  }

  private var places: [Place] = []

  nonisolated init() {}

  isolated deinit {
    for place in places { place.follower?.close() }
  }

  func add(_ follower: some ListObserver<Item>) { places.append(Place(follower: follower)) }

  /// Notifies the followers; `prepare` is called before each of them, and before others are notified.
  func notify(_ step: ListEvents<Item>.Step, prepare: () -> Void) {
    prepare()
    guard !places.isEmpty else { return }
    places.removeAll { $0.follower == nil }
    for place in places {
      place.follower?.notify(step)
      prepare()
    }
  }
}

/// The steps that wait for one consumer.
@MainActor final class ListEventQueue<Item>: ListObserver {
  private var steps: [ListEvents<Item>.Step] = []
  private var isClosed = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// The number of steps not consumed, including those that were dropped.
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
