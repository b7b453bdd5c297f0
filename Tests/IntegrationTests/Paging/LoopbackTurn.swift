import Synchronization

/// Numbers responses in the order they are created.
final class LoopbackTurn: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
