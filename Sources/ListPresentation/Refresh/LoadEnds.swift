internal import ListModel

/// The ends of loads that the program carries out. They take effect in a later turn, in order: a handler that
/// ends its token before it returns must not change the list in the middle of a callback of that list.
@MainActor final class LoadEnds {
  private var waiting: [() -> Void] = []
  private var isDue = false
  private var added = 0
  private var done = 0
  private var waiters = DeliveryWaiters()

  /// Whether all ends have taken effect.
  var isEmpty: Bool { waiting.isEmpty }

  /// Adds an end, or a call that must not take effect before the ends so far.
  func add(_ end: @escaping () -> Void) {
    waiting.append(end)
    added += 1
    scheduleDelivery()
  }

  /// Waits until the ends so far have taken effect.
  func delivered() async {
    guard !isEmpty else { return }
    let step = added
    await withCheckedContinuation { waiters.add($0, until: step) }
  }

  private func scheduleDelivery() {
    guard !isEmpty, !isDue else { return }
    isDue = true
    Task { [weak self] in self?.deliver() }
  }

  /// Delivers everything that waits now. Ends that this causes take effect in a later turn.
  private func deliver() {
    isDue = false
    for _ in 0..<waiting.count {
      waiting.removeFirst()()
      done += 1
    }
    scheduleDelivery()
    waiters.resume(after: done)
  }
}
