package import ListReading
package import ListSync

extension CollectList {
  /// How its rounds are read.
  package var options: SyncWalk.Options {
    var options = SyncWalk.Options()
    options.identity = id.map { .by($0) } ?? .recognized
    (options.distrusted, options.watermark) = (distrusts, watermark)
    options.deleteLimit = deletes == .off ? DeleteLimit(rows: 0, share: 0) : deleteLimit
    options.plan = watermark?.plan(of: call) ?? 0
    return options
  }

  /// The list as a sink sees it: what belongs to all rows of another one, or to one of them.
  package func belonging(to list: String, _ row: RowID? = nil) -> CollectList {
    var child = self
    child.parent = Parent(list: list, row: row)
    return child
  }

  /// Why rows stay in the table that were not in a round; `nil` if none does.
  package func heldBackText(_ receipt: SyncReceipt) -> String? {
    guard receipt.heldBack > 0 else { return nil }
    return deletes == .off ? "deletes are off for this list" : receipt.reason.map { "\($0)" }
  }
}
