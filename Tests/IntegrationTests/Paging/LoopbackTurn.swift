import Synchronization

/// Numbers answers in the order they are made.
final class LoopbackTurn: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
