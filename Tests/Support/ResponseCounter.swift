import Synchronization

/// Numbers the responses of a server, starting with 0.
public final class ResponseCounter: Sendable {
  private let count = Atomic(0)

  public init() {}

  public func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
