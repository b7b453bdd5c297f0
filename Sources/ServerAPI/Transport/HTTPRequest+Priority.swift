internal import Support

extension HTTPRequest {
  /// The order in which requests get a connection; requests of equal priority start in order of arrival.
  public enum Priority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Work that may be needed later, such as a prefetched page.
    case prefetch
    /// The default.
    case normal
    /// Content that is visible now.
    case visible

    /// Whether a request has lower priority than another.
    public static func < (a: HTTPRequest.Priority, b: HTTPRequest.Priority) -> Bool {
      a.rawValue < b.rawValue
    }
  }
}

extension HTTPRequest.Priority {
  /// Changes the priority of waiting requests.
  ///
  /// Assign one to ``HTTPRequest/priorityHandle``. A change has no effect after the request has started. Several requests
  /// can have the same handle, such as those for the pages of a list.
  package final class Handle: Sendable {
    private struct State {
      var value: HTTPRequest.Priority
      /// The observers with their numbers; most handles have one or none.
      var observers: [(number: Int, notify: @Sendable (HTTPRequest.Priority) -> Void)] = []
      var lastNumber = 0
    }

    /// Guards the value and its observers, which are called outside of the lock.
    private let state: Lock<State>

    /// Creates a handle with an initial priority.
    package init(_ priority: HTTPRequest.Priority = .normal) { state = Lock(State(value: priority)) }

    /// The current priority.
    package var value: HTTPRequest.Priority { state.withLock { $0.value } }

    /// Sets the priority and notifies the transport if it changed.
    package func set(_ priority: HTTPRequest.Priority) {
      let observers = state.withLock {
        state -> [(number: Int, notify: @Sendable (HTTPRequest.Priority) -> Void)] in
        guard state.value != priority else { return [] }
        state.value = priority
        return state.observers
      }
      for observer in observers { observer.notify(priority) }
    }

    /// Adds an observer of changes, for a transport whose request waits. Changes from several threads may be reported in
    /// another order than they were made; ``value`` is the last one.
    ///
    /// - Returns: The number for ``stopObserving(_:)``.
    @discardableResult
    package func observe(_ observer: @escaping @Sendable (HTTPRequest.Priority) -> Void) -> Int {
      state.withLock { state in
        state.lastNumber += 1
        state.observers.append((state.lastNumber, observer))
        return state.lastNumber
      }
    }

    /// Removes an observer.
    package func stopObserving(_ number: Int) {
      state.withLock { $0.observers.removeAll { $0.number == number } }
    }
  }
}
