package import ListReading
internal import Support

extension SyncState {
  /// Adds the next record, and returns the ids of the rows that it changes; `nil` if it is one of a whole state, which
  /// doesn't say what has changed.
  package mutating func changes(adding record: [UInt8]) throws(SyncError) -> [RowID]? {
    guard let steps = try? Self.steps(of: record) else {
      try add(record)
      return nil
    }
    var ids: [RowID] = []
    for step in steps {
      ids += changedRows(of: step)
      do { try apply(step) } catch { throw .damagedRecord(1) }
    }
    return ids
  }

  /// The rows that a step inserts, updates or deletes. Those of an index are looked up before the step is applied.
  private func changedRows(of step: SyncDelta) -> [RowID] {
    let known: [Int]
    var new: [RowID] = []
    switch step {
    case .page(let page):
      known = page.updated.map(\.index) + page.returned.map(\.index) + page.left
      new = page.inserted.filter { !$0.isLeft }.compactMap { $0.id.withUnsafeBufferPointer { PackedID.read($0)?.id } }
    case .remove(let indices): known = indices
    case .begin, .seal, .end: return []
    }
    return known.filter { $0 < rows.count }.map { rows.id(at: $0).id } + new
  }
}
