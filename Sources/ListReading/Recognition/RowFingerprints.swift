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

  /// Creates the fingerprints of the elements of an array, or of the first ones.
  init(of rows: JSONView, most: Int = .max) {
    let elements = Array(rows.elements.prefix(most))
    columns = Self.columns(of: elements)
    var values = Set<Int>(minimumCapacity: elements.count * max(1, columns.count))
    for element in elements {
      for hash in Self.hashes(of: element, columns) { values.insert(hash) }
    }
    self.values = values
    last = elements.last.map { [columns] in Set(Self.hashes(of: $0, columns)) } ?? []
    count = elements.count
  }

  /// Returns for each element of another array whether it is among the rows.
  func seen(in rows: JSONView) -> [Bool] {
    rows.elements.map { Self.hashes(of: $0, columns).contains(where: values.contains) }
  }

  /// Whether an element is the last of the rows.
  func isLast(_ element: JSONView) -> Bool {
    Set(Self.hashes(of: element, columns)) == last
  }

  /// Returns the hashes of an element, one at least.
  private static func hashes(of element: JSONView, _ columns: [JSONPath]) -> [Int] {
    var hashes: [Int] = []
    for (column, path) in columns.enumerated() {
      guard let value = scalar(path, in: element) else { continue }
      var hasher = Hasher()
      hasher.combine(column)
      hasher.combine(value)
      hashes.append(hasher.finalize())
    }
    // A row without these members is compared by its whole content.
    return hashes.isEmpty ? [Self.content(of: element)] : hashes
  }

  private static func content(of element: JSONView) -> Int {
    var hasher = Hasher()
    var text = JSONAny(element, keepingDigits: true).text()
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }

  /// Returns the text or the number at a path, as ids are compared.
  private static func scalar(_ path: JSONPath, in element: JSONView) -> RowDigest? {
    guard element.scalar(at: path) != nil else {
      return element[path]?.kind == .number ? RowDigest(at: path, in: element) : nil
    }
    return RowDigest(at: path, in: element)
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
    var values = Set<RowDigest>(minimumCapacity: elements.count)
    for element in elements {
      guard let value = scalar(path, in: element), values.insert(value).inserted else {
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
