public import ListReading
public import ServerAPI

/// An event of a list.
///
/// Events are delivered in the order in which they happened. The events with which a load ends are adjacent,
/// and each load that starts has one ``didFinish(_:)``.
public enum ListEvent: Hashable, Sendable {
  /// A load started.
  case didStart(LoadKind)
  /// The rows changed.
  case didChange(ListChange)
  /// A page had problems: duplicates, values that could not be read.
  case didReport(PageReport)
  /// The age of the rows changed, or reloading them failed.
  case didUpdateFreshness(Freshness)
  /// Another number of rows is new above the first row; `nil` if none is known. See ``ListModel/newRows``.
  case didUpdateNewRows(NewRows?)
  /// The pages so far had too few new rows, and the load continues.
  case isSearching(LoadKind, pages: Int)
  /// A load succeeded.
  case didSucceed(LoadKind)
  /// No rows precede the first row on the server.
  case didReachStart(ListEnd)
  /// No rows follow the last row on the server.
  case didReachEnd(ListEnd)
  /// A load failed; the rows are unchanged.
  case didFail(LoadKind, LoadError)
  /// A load was cancelled.
  case didCancel(LoadKind, RequestError.CancelReason)
  /// A new list started: the request of a ``ListModel`` changed, or a list was reset. The rows of the one before are
  /// removed.
  case didReset
  /// A load ended, with any outcome.
  case didFinish(LoadKind)
  /// This consumer was too slow and lost this number of events; see ``ListEvents``.
  case didDropEvents(Int)
}

extension ListEvent: CustomStringConvertible {
  /// The event in one line for logs, such as `didStart next` or `didChange inserted 20…39`.
  public var description: String {
    switch self {
    case .didStart(let kind): "didStart \(kind)"
    case .didChange(let change): "didChange \(change)"
    case .didReport(let report): "didReport \(inOneLine(report))"
    case .didUpdateFreshness(let freshness): "didUpdateFreshness \(inOneLine(freshness))"
    case .didUpdateNewRows(let rows): "didUpdateNewRows \(rows?.description ?? "none")"
    case .isSearching(let kind, let pages): "isSearching \(kind), pages \(pages)"
    case .didSucceed(let kind): "didSucceed \(kind)"
    case .didReachStart(let end): "didReachStart \(end)"
    case .didReachEnd(let end): "didReachEnd \(end)"
    case .didFail(let kind, let error): "didFail \(kind): \(inOneLine(error))"
    case .didCancel(let kind, let reason): "didCancel \(kind), \(reason)"
    case .didReset: "didReset"
    case .didFinish(let kind): "didFinish \(kind)"
    case .didDropEvents(let count): "didDropEvents \(count)"
    }
  }

  private func inOneLine(_ value: some CustomStringConvertible) -> String {
    value.description.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

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
  /// One event of a list, with the rows right after it.
  package typealias Step = (event: ListEvent, rows: ListSnapshot<Item>)
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

    /// Returns the next event with the rows right after it, or `nil` when the list is released or the task cancelled.
    public mutating func next() async -> (event: ListEvent, rows: ListSnapshot<Item>)? {
      await queue.next()
    }
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
  /// Called when a follower was added.
  var onFollow: (() -> Void)?

  nonisolated init() {}

  /// Whether a follower still exists.
  var hasFollowers: Bool { places.contains { $0.follower != nil } }

  isolated deinit {
    for place in places { place.follower?.close() }
  }

  func add(_ follower: some ListObserver<Item>) {
    places.append(Place(follower: follower))
    onFollow?()
  }

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
      steps = [(event: .didDropEvents(waiting + 1), rows: step.rows)]
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

/// The tasks that wait until a step is delivered, in the order of these steps.
package struct DeliveryWaiters {
  private var waiters: [(step: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// Creates an empty list of tasks.
  package init() {}

  /// Adds a task that waits until this many steps are delivered.
  package mutating func add(_ continuation: CheckedContinuation<Void, Never>, until step: Int) {
    waiters.append((step, continuation))
  }

  /// Resumes the tasks that waited for the steps delivered so far.
  package mutating func resume(after done: Int) {
    let ready = waiters.prefix { $0.step <= done }
    waiters.removeFirst(ready.count)
    for waiter in ready { waiter.continuation.resume() }
  }
}
