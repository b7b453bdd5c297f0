public import ListReading

/// What a simple screen needs to know of a list.
extension ListModel {
  /// The number of rows, including those that are not in memory.
  public var count: Int { rows.count }

  /// The items in memory, in order.
  public var items: ListSnapshot<Item>.Items { rows.items }

  /// Whether rows show edits that the server has not confirmed.
  package var hasPendingEdits: Bool { !brain.store.edits.isEmpty }

  /// Whether any load is running.
  public var isLoading: Bool {
    [refreshState, state(of: .next), state(of: .previous)].contains(.loading)
  }

  /// Whether rows may follow the last one: `false` only if the end was reached, complete or not.
  public var hasMore: Bool {
    if case .reachedEnd = state(of: .next) { false } else { true }
  }

  /// Why rows are missing: the error of the last load that failed and was not repeated with success, or of an end
  /// that is incomplete.
  public var error: LoadError? {
    let states = [refreshState, state(of: .next), state(of: .previous)]
    for case .failed(let error) in states { return error }
    for case .reachedEnd(.incomplete(let error)) in states { return .paging(error) }
    return nil
  }
}
