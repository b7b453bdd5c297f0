internal import Quire

/// The columns of csv and tables.
struct Columns: Sendable {
  /// The most columns that are collected from rows. Without a limit, the output of rows that share no
  /// names grows with the square of their number.
  static let most = 1_000
  /// The name of the column for rows that are no objects.
  static let value = "value"

  let names: [String]
  /// The position of each name.
  private let places: [MemberName: Int]

  init(_ names: [String]) {
    self.names = names
    places = Dictionary(
      names.enumerated().map { (MemberName($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Collects the names of all members of these rows, in the order in which they come.
  init(of rows: some Collection<JSONView>, for format: RowFormat) throws(UsageError) {
    var names: [String] = []
    var seen: Set<MemberName> = []
    func add(_ name: String) throws(UsageError) {
      guard seen.insert(MemberName(name)).inserted else { return }
      guard names.count < Self.most else {
        throw UsageError(
          "--format \(format) has 1,000 columns at most, and the rows of the first page have more members;"
            + " choose some with --select NAME,…")
      }
      names.append(name)
    }
    for row in rows { for member in row.members { try add(member.name) } }
    if rows.contains(where: { $0.kind != .object }) { try add(Self.value) }
    self.init(names)
  }

  /// The position of a column; of a repeated name, the first one.
  func place(of name: String) -> Int? { places[MemberName(name)] }

  /// Returns the value of each column in a row, and calls `others` with each name that has no column.
  func values(of row: JSONView, _ others: (String) -> Void) -> [JSONView?] {
    guard row.kind != .object else { return values(of: row.members, others) }
    var values = [JSONView?](repeating: nil, count: names.count)
    if let place = place(of: Self.value) { values[place] = row } else { others(Self.value) }
    return values
  }

  /// Returns the values in one pass over the members. A search for each column would cost the product
  /// of both counts.
  func values(
    of members: some Sequence<JSONView.Member>, _ others: (String) -> Void
  ) -> [JSONView?] {
    var values = [JSONView?](repeating: nil, count: names.count)
    for member in members {
      let name = member.name
      if let place = place(of: name) {
        // Of a repeated name the first member counts.
        if values[place] == nil { values[place] = member.value }
      } else {
        others(name)
      }
    }
    return values
  }
}

/// A name that is equal by its bytes, as names in JSON are.
private struct MemberName: Hashable, Sendable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (a: MemberName, b: MemberName) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
