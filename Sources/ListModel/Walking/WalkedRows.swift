package import ItemMapping
internal import ServerAPI

/// What a walk knows of the rows it has seen: their ids, and which pages brought nothing new.
struct WalkedRows {
  private let identity: PageWalk.Identity
  private(set) var idPath: JSONPath?
  private var known: Set<RowID>
  private var fruitless: Set<Int> = []
  private var repeats = PageRepeats(limit: 10)
  private var isLookedFor: Bool

  init(_ identity: PageWalk.Identity, known: Set<RowID> = []) {
    self.identity = identity
    self.known = known
    if case .by(let path) = identity { idPath = path }
    isLookedFor = identity == .recognized
  }

  /// Goes by what was found out of ids before.
  mutating func take(up path: JSONPath?) {
    idPath = path
    isLookedFor = false
  }

  /// What is left of a page.
  struct Taken {
    var rows: [JSONView] = []
    var ids: [RowID?] = []
    var duplicates = 0
    /// Whether the walk goes round in a circle.
    var isCircle = false
  }

  /// Takes the rows of a page; `rowsToSkip` of them are not to be had again where ids don't tell.
  mutating func take(_ rows: [JSONView], at key: PageKey, rowsToSkip: Int = 0) -> Taken {
    if isLookedFor, !rows.isEmpty {
      idPath = RowIDFinder.path(in: rows)
      isLookedFor = false
    }
    guard let path = idPath else { return takeAll(rows, at: key, rowsToSkip: rowsToSkip) }
    let ids = rows.map { RowID(at: path, in: $0) }
    if identity == .recognized, !Self.areHonest(ids, rows) {
      (idPath, known) = (nil, [])
      return takeAll(rows, at: key, rowsToSkip: rowsToSkip)
    }
    var taken = Taken()
    for (row, id) in zip(rows, ids) {
      if let id, !known.insert(id).inserted {
        taken.duplicates += 1
      } else {
        taken.rows.append(row)
        taken.ids.append(id)
      }
    }
    if taken.rows.isEmpty {
      var hasher = Hasher()
      hasher.combine(ids)
      if rows.isEmpty { hasher.combine(key) }
      taken.isCircle = !fruitless.insert(hasher.finalize()).inserted
    } else {
      fruitless = []
    }
    return taken
  }

  /// Where rows can't be told apart, equal ones may well be honest. Only a page that comes again is none.
  private mutating func takeAll(_ rows: [JSONView], at key: PageKey, rowsToSkip: Int) -> Taken {
    // Made of the rows alone: what is around them may well count on while they stay the same.
    var hasher = Hasher()
    for row in rows { hasher.combine(row.text) }
    let checkpoint = PageMark(
      key: key, fingerprint: hasher.finalize(), isEmpty: rows.isEmpty)
    guard !repeats.isRepeat(checkpoint) else { return Taken(isCircle: true) }
    return Taken(rows: Array(rows.dropFirst(rowsToSkip)))
  }

  /// Whether a row has come before.
  func isKnown(_ row: JSONView) -> Bool {
    idPath.flatMap { RowID(at: $0, in: row) }.map(known.contains) ?? false
  }

  /// Whether a row has an id that has not come before.
  func isNew(_ row: JSONView) -> Bool {
    idPath.flatMap { RowID(at: $0, in: row) }.map { !known.contains($0) } ?? false
  }

  /// One id for two different rows of a page is none, whatever it is called.
  private static func areHonest(_ ids: [RowID?], _ rows: [JSONView]) -> Bool {
    var first: [RowID: Int] = [:]
    for (index, id) in ids.enumerated() {
      guard let id else { continue }
      if let other = first[id], rows[other].text != rows[index].text { return false }
      first[id] = index
    }
    return true
  }
}

/// Finds what tells rows apart.
package enum RowIDFinder {
  /// Where ids usually are, the best place first.
  package static let paths: [JSONPath] = [
    "id", "_id", "Id", "ID", "uuid", "UUID", "guid", "uid", "objectID", "@id", "pk", "sha",
    "node_id", "node.id", "resource.id", "data.id",
  ]

  package static func path(in rows: [JSONView]) -> JSONPath? {
    if rows.allSatisfy({ $0.kind == .string || $0.int64 != nil }) {
      return isUnique(.root, in: rows) ? .root : nil
    }
    return paths.first { isUnique($0, in: rows) }
  }

  /// Finds it in the page that a row came in, of which `items` is the place of the rows, looked for where it is
  /// `nil`.
  package static func path(inPageOf row: JSONView, at items: JSONPath?) -> JSONPath? {
    let root = row.document.root
    var place = items
    if place == nil, case .found(let path, _) = ListFinder.find(in: root) { place = path }
    guard let rows = place.flatMap({ root[$0] }) else { return nil }
    return path(in: Array(rows.elements))
  }

  private static func isUnique(_ path: JSONPath, in rows: [JSONView]) -> Bool {
    var seen: Set<RowID> = []
    return rows.allSatisfy { row in
      guard let view = row[path], view.kind == .string || view.int64 != nil,
        let id = RowID(at: path, in: row)
      else { return false }
      return seen.insert(id).inserted
    }
  }
}

extension RowID {
  /// What stands at a path of a row; absent where that is nothing.
  package init?(at path: JSONPath, in row: JSONView) {
    guard let view = row[path], !view.isNull else { return nil }
    if let number = view.int {
      self = .number(number)
    } else if let text = view.string {
      self = .text(text)
    } else {
      // No text of a server begins like this, so a number is never taken for one.
      self = .text("\0" + JSONAny(view, keepingDigits: true).text())
    }
  }
}
