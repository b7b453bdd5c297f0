package import ItemMapping
package import ListReading

extension SyncWalk {
  /// Changes that are reported together, with the record of them.
  package struct Step {
    package var round: Int
    /// The rows that are reported, in the order of the page.
    package private(set) var rows: [(operation: SyncOperation, id: RowID, row: JSONView)] = []
    /// The rows that are gone.
    package var deletes: [RowID] = []
    /// The rows that have no id.
    package var withoutID: [JSONView] = []
    /// The path of the id, once it is known.
    package var idPath: JSONPath?
    package var receipt: SyncReceipt?
    /// The steps before this one that belong to its record.
    var earlier: [SyncDelta] = []
    /// What a page changes in the state.
    var page: SyncDelta.Page?
    /// Makes the end of the round from its last page.
    var seal: ((SyncDelta.Page) -> SyncDelta)?
    private var others: [SyncDelta]

    init(_ round: Int, _ others: [SyncDelta] = []) { (self.round, self.others) = (round, others) }

    mutating func append(_ operation: SyncOperation, _ id: RowID, _ row: JSONView) {
      rows.append((operation, id, row))
    }

    /// Leaves out new and changed rows that can't be stored, by their places in `rows`. They are reported again in the
    /// next round that has them.
    package mutating func refuse(_ places: some Collection<Int>) {
      guard !places.isEmpty else { return }
      let refused = Set(places)
      page?.refuse(rows.enumerated().map { ($1.operation, PackedID($1.id).bytes, refused.contains($0)) })
      rows = rows.enumerated().filter { !refused.contains($0.offset) }.map(\.element)
    }

    /// What to add to the records of the state.
    package mutating func record() -> [UInt8] { SyncState.record(of: earlier + deltas()) }

    /// What the step changes in the state.
    mutating func deltas() -> [SyncDelta] {
      if let page, let seal {
        others = [seal(page)]
        self.seal = nil
      }
      return (page.map { [.page($0)] } ?? []) + others
    }
  }
}

extension SyncDelta.Page {
  /// Leaves out rows that can't be read after all: what is known of them stays as it was.
  ///
  /// - Parameter reported: The rows that the page reports, in its order.
  fileprivate mutating func refuse(_ reported: [(operation: SyncOperation, id: [UInt8], isRefused: Bool)]) {
    let new = Set(inserted.map(\.id))
    var updatedPlace = 0
    var returnedPlace = 0
    for row in reported {
      switch row.operation {
      case .insert where new.contains(row.id):
        if row.isRefused { inserted.removeAll { $0.id == row.id } }
      case .insert:
        if row.isRefused { returned.remove(at: returnedPlace) } else { returnedPlace += 1 }
      case .update:
        if row.isRefused { seen.append(updated.remove(at: updatedPlace).index) } else { updatedPlace += 1 }
      case .delete: break
      }
      if row.isRefused { unreadable += 1 }
    }
  }
}
