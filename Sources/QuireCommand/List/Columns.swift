internal import Quire

/// The columns of rows: in csv and table output, and on the screen.
struct Columns: Sendable {
  /// The maximum number of columns collected from rows. Without it, the output of rows that share no names
  /// grows with the square of their number.
  static let maximumCount = 1_000
  /// The name of the column for rows that are not objects.
  static let value = "value"

  let names: [String]
  /// The position of each name.
  private let positions: [MemberName: Int]

  init(_ names: [String]) {
    self.names = names
    positions = Dictionary(
      names.enumerated().map { (MemberName($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the member names of the rows, in order of appearance and up to a limit.
  static func names(of rows: some Collection<JSONView>, limit: Int) -> [String] {
    var names: [String] = []
    var seen: Set<MemberName> = []
    func add(_ name: String) {
      if names.count < limit, seen.insert(MemberName(name)).inserted { names.append(name) }
    }
    for row in rows {
      for member in row.members {
        guard names.count < limit else { return names }
        add(member.name)
      }
    }
    if rows.contains(where: { $0.kind != .object }) { add(value) }
    return names
  }

  /// Returns the position of a column; the first one if the name is repeated.
  func position(of name: String) -> Int? { positions[MemberName(name)] }

  /// Returns the value of each column in a row. Calls `others` with each member name that has no column.
  func values(of row: JSONView, _ others: (String) -> Void) -> [JSONView?] {
    guard row.kind != .object else { return values(of: row.members, others) }
    var values = [JSONView?](repeating: nil, count: names.count)
    if let position = position(of: Self.value) {
      values[position] = row
    } else {
      others(Self.value)
    }
    return values
  }

  /// Returns the values in one pass over the members. A search per column would cost the product of both
  /// counts.
  func values(
    of members: some Sequence<JSONView.Member>, _ others: (String) -> Void
  ) -> [JSONView?] {
    var values = [JSONView?](repeating: nil, count: names.count)
    for member in members {
      let name = member.name
      if let position = position(of: name) {
        // If a name is repeated, the first member counts.
        if values[position] == nil { values[position] = member.value }
      } else {
        others(name)
      }
    }
    return values
  }
}

/// A name compared by its bytes, as names in JSON are.
private struct MemberName: Hashable, Sendable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (a: MemberName, b: MemberName) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
