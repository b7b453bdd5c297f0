internal import Support

/// Which of the requests that wait for a connection goes first; equals go in order of arrival.
public enum Priority: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// Work nobody waits for yet, such as a page that may be needed.
  case prefetch
  /// The usual.
  case normal
  /// What a person looks at now.
  case visible

  /// Compares how soon a request goes.
  public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
}

extension Priority {
  /// Changes the priority of a request that may be waiting.
  ///
  /// Give one to ``HTTPRequest/priorityHandle``; once the request is on its way a change has no effect.
  public final class Handle: Sendable {
    /// Guards the value and who is told of a change; the observer is called outside of it.
    private let state: Lock<(value: Priority, observer: (@Sendable (Priority) -> Void)?)>

    /// Starts at a priority.
    public init(_ priority: Priority = .normal) { state = Lock((priority, nil)) }

    /// The priority now.
    public var value: Priority { state.withLock { $0.value } }

    /// Sets the priority and tells the transport if it changed.
    public func set(_ priority: Priority) {
      let observer = state.withLock { state -> (@Sendable (Priority) -> Void)? in
        guard state.value != priority else { return nil }
        state.value = priority
        return state.observer
      }
      observer?(priority)
    }

    /// Lets a transport listen for changes while the request waits; `nil` ends that.
    public func observe(_ observer: (@Sendable (Priority) -> Void)?) {
      state.withLock { $0.observer = observer }
    }
  }
}
