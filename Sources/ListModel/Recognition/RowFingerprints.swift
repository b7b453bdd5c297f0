internal import ItemMapping

/// Tells whether rows of another answer are among those of this one.
///
/// Rows are compared by the member that looks like their id and differs in every row. Where there is
/// none, by all members that differ in every row: a row counts as seen as soon as one of them is the
/// same, so that a counter or a time that changes with every answer never makes old rows look new.
/// Where no member does, by the whole content.
struct RowFingerprints: Hashable, Sendable {
  /// The members that tell rows apart; none where only the whole content can.
  let columns: [JSONPath]
  private let values: Set<Int>
  private let last: Set<Int>
  /// How many rows there are.
  let count: Int

  /// How many of the rows are looked at to find the members that tell them apart.
  private static let columnLimit = 64

  /// Takes the fingerprints of the elements of an array.
  init(of rows: JSONView) {
    let elements = Array(rows.elements)
    columns = Self.columns(of: elements)
    let marks = elements.map { [columns] in Self.marks(of: $0, columns) }
    values = marks.reduce(into: []) { $0.formUnion($1) }
    last = marks.last ?? []
    count = elements.count
  }

  /// Which of the elements of another array are among the rows, in their order.
  func seen(in rows: JSONView) -> [Bool] {
    rows.elements.map { !values.isDisjoint(with: Self.marks(of: $0, columns)) }
  }

  /// Whether an element is the last of the rows.
  func isLast(_ element: JSONView) -> Bool {
    let marks = Self.marks(of: element, columns)
    return !marks.isEmpty && marks == last
  }

  private static func marks(of element: JSONView, _ columns: [JSONPath]) -> Set<Int> {
    let marks = columns.enumerated().compactMap { column, path in
      element[path].flatMap(Self.scalar).map { [AnyHashable(column), $0].hashValue }
    }
    // A row without the members it should have is told by what it does have.
    return marks.isEmpty ? [JSONAny(element).hashValue] : Set(marks)
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

  /// Whether all elements have a text or a number there, each another one.
  private static func isDistinct(_ path: JSONPath, in elements: [JSONView]) -> Bool {
    var values: Set<AnyHashable> = []
    for element in elements {
      guard let value = element[path].flatMap(scalar), values.insert(value).inserted else {
        return false
      }
    }
    return true
  }

  /// What ids are usually called, the surest first.
  private static let names = [
    "id", "_id", "ID", "Id", "uuid", "guid", "uid", "key", "objectID", "pageid", "sha", "slug",
    "url", "href", "link", "fullUrl", "cursor",
  ]

  /// Where the item itself may be within a row: the row, or one of these members.
  private static let wrappers: [[JSONPath.Segment]] = [
    [], ["node"], ["data"], ["resource"], ["item"], ["attributes"],
  ]
}
