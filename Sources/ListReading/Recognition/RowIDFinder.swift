package import ItemMapping

/// Finds the path of the ids of rows.
package enum RowIDFinder {
  /// The usual paths of ids, the best first.
  package static let paths: [JSONPath] = [
    "id", "_id", "Id", "ID", "uuid", "UUID", "guid", "uid", "objectID", "@id", "pk", "sha",
    "node_id", "node.id", "resource.id", "data.id",
  ]

  package static func path(in rows: [JSONView]) -> JSONPath? {
    if rows.allSatisfy({ $0.kind == .string || $0.int64 != nil }) {
      return isUnique(.root, in: rows) ? .root : nil
    }
    return paths.first { isUnique($0, in: rows) } ?? orderingPath(in: rows)
  }

  /// Returns the path of a member such as `ProductID` that is named like an id and orders the rows. A name alone shows
  /// little: the first member of an order with such a name may be the id of its customer.
  private static func orderingPath(in rows: [JSONView]) -> JSONPath? {
    guard rows.count >= fewestOrdered, let first = rows.first else { return nil }
    return first.members.prefix(mostMembers).lazy
      .filter { NameWords($0.name).words.last.map(idWords.contains) ?? false }
      .map { JSONPath([.name($0.name)]) }
      .first { isOrdering($0, rows) && isUnique($0, in: rows) }
  }

  private static let idWords: Set<String> = ["id", "uuid", "guid"]
  /// Fewer rows are too often in some order by chance.
  private static let fewestOrdered = 5
  private static let mostMembers = 100

  /// Whether each row has a higher value than the one before it, or each has a lower one.
  private static func isOrdering(_ path: JSONPath, _ rows: [JSONView]) -> Bool {
    let values = rows.map { $0[path] }
    func isOrdered<Value: Comparable>(_ values: [Value?]) -> Bool {
      let known = values.compactMap(\.self)
      let pairs = zip(known, known.dropFirst())
      return known.count == values.count
        && (pairs.allSatisfy { $0 < $1 } || pairs.allSatisfy { $0 > $1 })
    }
    return isOrdered(values.map { $0?.int64 }) || isOrdered(values.map { $0?.string })
  }

  /// Returns the path of the ids in the page of a row. `items` is the path of the rows; without it, they are
  /// searched for.
  package static func path(inPageOf row: JSONView, at items: JSONPath?) -> JSONPath? {
    let place = items ?? rowsPath(inPageOf: row)
    guard let rows = place.flatMap({ row.document.root[$0] }) else { return nil }
    return path(in: Array(rows.elements))
  }

  /// Returns the path of the rows in the page of a row.
  package static func rowsPath(inPageOf row: JSONView) -> JSONPath? {
    if case .found(let path, _) = ListFinder.find(in: row.document.root) { path } else { nil }
  }

  private static func isUnique(_ path: JSONPath, in rows: [JSONView]) -> Bool {
    var seen = KnownRows()
    return rows.allSatisfy { row in
      guard row.scalar(at: path) != nil || row[path]?.int64 != nil,
        let digest = RowDigest(at: path, in: row)
      else { return false }
      return seen.insert(digest, order: KnownRows.unordered).isNew
    }
  }
}

extension RowID {
  /// Creates the id from the value at a path of a row; `nil` where there is none.
  package init?(at path: JSONPath, in row: JSONView) {
    guard let view = row[path], !view.isNull else { return nil }
    switch view.scalar(at: .root) {
    case .int(let number)? where number != 0 || view.numberText == "0": self = .number(number)
    case .text?: self = .text(view.string ?? "")
    default:
      // No text of a server starts like this, so the two never collide. A number is the one that is written.
      let text = view.numberText ?? JSONAny(view, keepingDigits: true).text()
      self = .text("\0" + text)
    }
  }
}
