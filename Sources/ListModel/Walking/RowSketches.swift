internal import ItemMapping

/// What a walk keeps of the content of its first rows, to see whether a member that was recognized as their id is one.
///
/// A member may differ in all rows of the first page by chance, or count the rows of each page. On a later page it has the
/// values of other rows then. A row that was updated or has moved keeps most of its other members, so that only rows
/// without anything in common are different ones, and only several on one page are a sign.
///
/// Only the first rows have a sketch, in four bytes each: values that come again come again among those too.
struct RowSketches {
  /// The number of rows with a sketch.
  private static let most = 512
  private static let mostMembers = 20
  /// Rows that were dropped since they seem to be those before them, and that share nothing with these.
  private static let mostDropped = 50

  /// Members that differ in all rows of the first page, two at most.
  private var paths: [JSONPath]?
  /// The sketch of each row, by its index among the known rows; 0 for none.
  private var sketches: [UInt32] = []
  /// Copies of the rows that were dropped although they differ.
  private(set) var dropped: [JSONView] = []

  /// What a page shows.
  struct Count {
    /// The numbers of the rows that come again with other content, by their places on the page.
    fileprivate var different: [Int] = []
    fileprivate var same = 0
  }

  /// Whether rows are compared at all.
  var isActive: Bool { paths?.isEmpty != true }

  /// Chooses the members on the first page.
  mutating func choose(in rows: [JSONView], besides id: JSONPath) {
    guard paths == nil, rows.count > 1, let first = rows.first else { return }
    let found = first.members.prefix(Self.mostMembers).lazy
      .map { JSONPath([.name($0.name)]) }
      .filter { $0.segments != id.segments && Self.isDistinct($0, in: rows) }
    paths = Array(found.prefix(2))
  }

  private static func isDistinct(_ path: JSONPath, in rows: [JSONView]) -> Bool {
    var seen: Set<RowDigest> = []
    return rows.allSatisfy { row in
      guard row.scalar(at: path) != nil, let digest = RowDigest(at: path, in: row) else {
        return false
      }
      return seen.insert(digest).inserted
    }
  }

  /// Adds a new row.
  mutating func add(_ row: JSONView, at index: Int) {
    guard index < Self.most, let paths, !paths.isEmpty else { return }
    if sketches.count <= index {
      sketches.append(contentsOf: repeatElement(0, count: index + 1 - sketches.count))
    }
    sketches[index] = Self.sketch(of: row, paths)
  }

  /// Compares a row with the one that has its id.
  func compare(_ row: JSONView, at place: Int, with index: Int, _ count: inout Count) {
    guard index < sketches.count, sketches[index] != 0, let paths else { return }
    let (old, new) = (sketches[index], Self.sketch(of: row, paths))
    let shares = paths.indices.contains { (old ^ new) >> UInt32(16 * $0) & 0xFFFF == 0 }
    if shares { count.same += 1 } else { count.different.append(place) }
  }

  /// Whether the rows of a page are different ones, and not those before them.
  func areOthers(_ count: Count, of rows: Int) -> Bool {
    guard let paths, count.different.count > count.same else { return false }
    return count.different.count >= (paths.count > 1 ? 3 : max(3, rows / 2))
  }

  /// Keeps rows that are dropped, for the case that their id turns out to be none.
  mutating func drop(_ count: Count, of rows: [JSONView]) {
    for place in count.different where dropped.count < Self.mostDropped {
      if let copy = try? JSONDocument(rows[place].text) { dropped.append(copy.root) }
    }
  }

  private static func sketch(of row: JSONView, _ paths: [JSONPath]) -> UInt32 {
    var sketch: UInt32 = 0
    for (number, path) in paths.enumerated() {
      guard let digest = RowDigest(at: path, in: row) else { continue }
      // Never 0, which is for none.
      sketch |= UInt32(truncatingIfNeeded: digest.hash & 0xFFFF | 1) << UInt32(16 * number)
    }
    return sketch
  }
}

extension WalkedRows {
  /// Whether no two different rows of a page have the same id. If two do, it isn't an id, whatever its name.
  static func areDistinct(_ rows: [JSONView], by path: JSONPath) -> Bool {
    var first: [RowDigest: JSONView] = [:]
    for row in rows {
      guard let id = RowDigest(at: path, in: row) else { continue }
      if let other = first.updateValue(row, forKey: id), other.text != row.text { return false }
    }
    return true
  }
}
