internal import Support

/// The order in which requests get a connection; requests of equal priority start in order of arrival.
public enum Priority: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// Work that may be needed later, such as a prefetched page.
  case prefetch
  /// The default.
  case normal
  /// Content that is visible now.
  case visible

  /// Whether a request has lower priority than another.
  public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
}

extension Priority {
  /// Changes the priority of a waiting request.
  ///
  /// Assign one to ``HTTPRequest/priorityHandle``. A change has no effect after the request has started.
  public final class Handle: Sendable {
    /// Guards the value and its observer; the observer is called outside of the lock.
    private let state: Lock<(value: Priority, observer: (@Sendable (Priority) -> Void)?)>

    /// Creates a handle with an initial priority.
    public init(_ priority: Priority = .normal) { state = Lock((priority, nil)) }

    /// The current priority.
    public var value: Priority { state.withLock { $0.value } }

    /// Sets the priority and notifies the transport if it changed.
    public func set(_ priority: Priority) {
      let observer = state.withLock { state -> (@Sendable (Priority) -> Void)? in
        guard state.value != priority else { return nil }
        state.value = priority
        return state.observer
      }
      observer?(priority)
    }

    /// Sets the observer of changes, for a transport whose request waits; `nil` removes it.
    public func observe(_ observer: (@Sendable (Priority) -> Void)?) {
      state.withLock { $0.observer = observer }
    }
  }
}
