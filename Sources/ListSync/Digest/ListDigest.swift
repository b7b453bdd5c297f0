public import ListReading

/// The ids of a list's rows with a mark of the content of each, and what can be claimed of them.
///
/// ```swift
/// let before = books.digest
/// // … minutes later, after a refresh …
/// if let before, let changes = books.changes(since: before) {
///   print("\(changes.inserted.count) new, \(changes.removed.count) gone")
/// }
/// ```
///
/// A digest takes about 25 bytes a row beside the id, and none of the items. It is a value that can be stored.
public struct ListDigest: Sendable {
  /// What is claimed of the rows.
  public let consistency: Consistency
  /// Whether these are all rows of the list, from its start to its end, without edits that the server has not confirmed.
  public let isWholeList: Bool
  var rows = RowTable()

  /// Creates a digest of rows, each with its id and a mark of its content; ``RowTable/noMark`` where that is not known.
  package init(
    _ rows: some Sequence<(id: RowID, mark: UInt64)>, _ consistency: Consistency, isWholeList: Bool
  ) {
    (self.consistency, self.isWholeList) = (consistency, isWholeList)
    for row in rows { add(row.id, mark: row.mark) }
  }

  mutating func add(_ id: RowID, mark: UInt64) { _ = rows.insert(PackedID(id).bytes, mark: mark, round: 1) }

  /// The number of rows.
  public var count: Int { rows.count }

  /// Whether a row with this id is among them.
  public func contains(_ id: RowID) -> Bool { rows.index(of: PackedID(id).bytes) != nil }
}

extension ListDigest {
  /// Returns what has changed since an older digest of the same list.
  ///
  /// A row is removed only if that is proven: this digest has all rows of the list, with the claim
  /// ``Quire/Consistency/Claim/whole`` or ``Quire/Consistency/Claim/exact``. Otherwise rows that it lacks are
  /// held back.
  public func changes(since older: ListDigest) -> Changes {
    var changes = Changes(consistency: consistency)
    for index in 0..<rows.count {
      guard let before = older.rows.index(of: rows.packedID(at: index)) else {
        changes.inserted.append(rows.id(at: index).id)
        continue
      }
      let (mark, old) = (rows[markOf: index], older.rows[markOf: before])
      if mark != old, mark != RowTable.noMark, old != RowTable.noMark {
        changes.updated.append(rows.id(at: index).id)
      }
    }
    let isProven = isWholeList && consistency.claim.isProven
    for index in 0..<older.rows.count where rows.index(of: older.rows.packedID(at: index)) == nil {
      let id = older.rows.id(at: index).id
      if isProven { changes.removed.append(id) } else { changes.heldBack.append(id) }
    }
    return changes
  }

  /// What has changed between two digests. Ids of a type of the program, such as `UUID`, are given as their texts.
  public struct Changes: Hashable, Sendable {
    /// The rows that only the newer one has, in its order.
    public var inserted: [RowID] = []
    /// The rows with new content, in the order of the newer one.
    public var updated: [RowID] = []
    /// The rows that are proven to be gone, in the order of the older one.
    public var removed: [RowID] = []
    /// The rows that the newer one lacks, and that are not proven to be gone.
    public var heldBack: [RowID] = []
    /// What is claimed of the newer one.
    public var consistency: Consistency

    /// Whether nothing has changed, as far as is known.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty && heldBack.isEmpty }
  }
}
