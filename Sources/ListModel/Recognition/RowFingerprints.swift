internal import ItemMapping

/// Finds the rows of another response that are also in this one.
///
/// Rows are compared by the member that looks like their id and differs in every row. Where there is
/// none, by all members that differ in every row: a row counts as seen as soon as one of them is
/// equal, so a counter or a time that changes with every response never makes old rows look new.
/// Where no member differs in every row, by the whole content.
struct RowFingerprints: Hashable, Sendable {
  /// The members that tell rows apart; empty where only the whole content does.
  let columns: [JSONPath]
  private let values: Set<Int>
  private let last: Set<Int>
  /// The number of rows.
  let count: Int

  /// The number of members to consider in the search for those that tell rows apart.
  private static let columnLimit = 64

  /// Creates the fingerprints of the elements of an array.
  init(of rows: JSONView) {
    let elements = Array(rows.elements)
    columns = Self.columns(of: elements)
    let hashes = elements.map { [columns] in Self.hashes(of: $0, columns) }
    values = hashes.reduce(into: []) { $0.formUnion($1) }
    last = hashes.last ?? []
    count = elements.count
  }

  /// Returns for each element of another array whether it is among the rows.
  func seen(in rows: JSONView) -> [Bool] {
    rows.elements.map { !values.isDisjoint(with: Self.hashes(of: $0, columns)) }
  }

  /// Whether an element is the last of the rows.
  func isLast(_ element: JSONView) -> Bool {
    let hashes = Self.hashes(of: element, columns)
    return !hashes.isEmpty && hashes == last
  }

  private static func hashes(of element: JSONView, _ columns: [JSONPath]) -> Set<Int> {
    let hashes = columns.enumerated().compactMap { column, path in
      element[path].flatMap(Self.scalar).map { [AnyHashable(column), $0].hashValue }
    }
    // A row without these members is compared by its whole content.
    return hashes.isEmpty ? [JSONAny(element).hashValue] : Set(hashes)
  }

  private static func scalar(_ view: JSONView) -> AnyHashable? {
    view.string.map(AnyHashable.init) ?? view.numberText.map(AnyHashable.init)
  }

  private static func columns(of elements: [JSONView]) -> [JSONPath] {
    guard let first = elements.first else { return [] }
    for wrapper in wrappers where wrapper.isEmpty || first[JSONPath(wrapper)]?.kind == .object {
      for name in names {
        let path = JSONPath(wrapper + [.name(name)])
        if isDistinct(path, in: elements) { return [path] }
      }
    }
    return first.members.prefix(columnLimit).map { JSONPath([.name($0.name)]) }.filter {
      isDistinct($0, in: elements)
    }
  }

  /// Whether every element has a text or a number there, and no two have the same.
  private static func isDistinct(_ path: JSONPath, in elements: [JSONView]) -> Bool {
    var values: Set<AnyHashable> = []
    for element in elements {
      guard let value = element[path].flatMap(scalar), values.insert(value).inserted else {
        return false
      }
    }
    return true
  }

  /// The usual names of ids, the most certain first.
  private static let names = [
    "id", "_id", "ID", "Id", "uuid", "guid", "uid", "key", "objectID", "pageid", "sha", "slug",
    "url", "href", "link", "fullUrl", "cursor",
  ]

  /// Where the item may be within a row: the row itself, or one of these members.
  private static let wrappers: [[JSONPath.Segment]] = [
    [], ["node"], ["data"], ["resource"], ["item"], ["attributes"],
  ]
}
