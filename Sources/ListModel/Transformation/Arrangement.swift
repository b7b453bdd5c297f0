/// Where each row of a list comes from in one step.
struct Arrangement {
  /// Where one row comes from.
  struct Source {
    /// Where the row was; `nil` for a new one.
    var origin: Int?
    var hasMoved = false
    /// Whether what was made of it before is of no use.
    var isRemade = true
  }

  private(set) var sources: [Source]
  /// Whether the list itself says that rows have other content now.
  let isUpdate: Bool
}

extension Arrangement {
  /// What a change does; `nil` when it is not one of so many rows.
  init?(_ change: ListChange, from before: Int, to after: Int) {
    var order = change
    order.updated = []
    guard
      let origins = order.applied(to: (0..<before).map(Optional.some), new: { _ in nil }),
      origins.count == after
    else { return nil }
    self.init(
      sources: origins.map { Source(origin: $0, isRemade: $0 == nil) }, isUpdate: true)
    for move in change.moved { sources[move.to].hasMoved = true }
    for position in change.updated.joined() {
      guard origins.indices.contains(position), origins[position] != nil else { return nil }
      sources[position].isRemade = true
    }
  }

  /// All rows give way to others.
  init(replacing count: Int) {
    self.init(sources: [Source](repeating: Source(), count: count), isUpdate: true)
  }

  /// All rows are what and where they were.
  init(remaking count: Int) {
    self.init(sources: (0..<count).map { Source(origin: $0) }, isUpdate: false)
  }
}
