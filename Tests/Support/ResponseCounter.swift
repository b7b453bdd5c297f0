import Synchronization

/// Numbers the responses of a server, starting with 0.
public final class ResponseCounter: Sendable {
  private let count = Atomic(0)

  /// A counter of which the first number is 0.
  public init() {}

  /// The number of the next response.
  public func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
