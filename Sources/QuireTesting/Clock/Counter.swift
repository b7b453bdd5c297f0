/// A number that only grows, and the tasks that wait for it to reach theirs.
package final class Counter: Sendable {
  private struct State {
    var value = 0
    var hasEnded = false
  }

  private let state = Awaitable(State())

  /// Makes a counter at zero.
  package init() {}

  /// The number now.
  package var value: Int { state.value.value }

  /// Counts more, wakes those who waited for that and returns the new number.
  @discardableResult package func add(_ amount: Int = 1) -> Int {
    state.update { state in
      state.value += amount
      return state.value
    }
  }

  /// Lets everybody go who still waits, because the number will not grow any more.
  package func end() { state.update { $0.hasEnded = true } }

  /// Waits until the number is `wanted`; false when it ended or the task was cancelled before.
  @discardableResult package func reaches(_ wanted: Int) async -> Bool {
    try? await state.wait { $0.value >= wanted || $0.hasEnded }
    return value >= wanted
  }
}
