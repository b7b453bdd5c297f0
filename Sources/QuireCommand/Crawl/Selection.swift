internal import Quire
internal import Support

/// The members of a row to write, and their names in the output.
struct Selection: Sendable {
  struct Field: Hashable, Sendable {
    var name: String
    var path: JSONPath
  }

  private(set) var fields: [Field] = []
  /// The first names of the paths.
  private let heads: Columns
  /// The head of each path and the rest of the path; `nil` if the path doesn't start with a name.
  private let tails: [(head: Int, path: JSONPath)?]

  /// Up to this number of fields, a search for each of them is faster.
  private static let searchLimit = 8

  /// Reads `id,title=book.title`.
  init(_ texts: [String]) throws(UsageError) {
    for part in texts.flatMap(OptionSyntax.list) {
      let field = try Self.field(part)
      if fields.contains(where: { $0.name == field.name }) {
        throw UsageError(
          "--select names “\(field.name)” twice; rename one of them: other=\(part)")
      }
      fields.append(field)
    }
    if fields.isEmpty { throw UsageError("--select needs at least one member") }
    let names = fields.map { field -> String? in
      if case .name(let name)? = field.path.segments.first { name } else { nil }
    }
    let heads = Columns(names.compactMap(\.self))
    self.heads = heads
    tails = zip(fields, names).map { field, name in
      name.flatMap { heads.position(of: $0) }.map {
        ($0, JSONPath(Array(field.path.segments.dropFirst())))
      }
    }
  }

  /// Returns the value of each field in a row. Finds many fields in one pass over the members.
  func values(of row: JSONView) -> [JSONView?] {
    guard fields.count > Self.searchLimit else { return fields.map { row[$0.path] } }
    let values = heads.values(of: row.members) { _ in }
    return zip(fields, tails).map { field, tail in
      tail.map { values[$0.head]?[$0.path] } ?? row[field.path]
    }
  }

  private static func field(_ part: String) throws(UsageError) -> Field {
    // A quoted name in a path can contain an equals sign; a name before one contains no bracket.
    if let equals = part.firstIndex(of: "="), !part[..<equals].contains("["),
      !part[..<equals].hasPrefix("$")
    {
      let path = String(part[part.index(after: equals)...].withoutBlanks)
      let name = String(part[..<equals].withoutBlanks)
      return Field(name: name, path: try OptionSyntax.path(path, of: "select"))
    }
    let path = try OptionSyntax.path(part, of: "select")
    if case .name(let name)? = path.segments.last { return Field(name: name, path: path) }
    return Field(name: part, path: path)
  }

  /// Returns the selected members as an object on one line. Numbers keep their digits.
  func text(of row: JSONView) -> String {
    let members = zip(fields, values(of: row)).map { field, value in
      JSONAny.string(field.name).text() + ":" + (value?.oneLine ?? "null")
    }
    return "{\(members.joined(separator: ","))}"
  }
}

/// The rows of a page that are written, and how many rows of the page are done with each of them.
struct SelectedRows {
  private(set) var rows: [JSONView] = []
  /// The number of rows of the page that were examined.
  private(set) var examined = 0
  /// The places of the rows in the page; `nil` where every row is written.
  private var places: [Int]?

  /// All rows up to a number.
  init(_ page: [JSONView], atMost count: Int) {
    rows = page.count <= count ? page : Array(page.prefix(count))
    examined = rows.count
  }

  /// No row yet, of those that a filter selects.
  init() { places = [] }

  /// Adds the next row of the page, if a filter holds for it.
  mutating func examine(_ row: JSONView, holds: Bool) {
    if holds {
      rows.append(row)
      places?.append(examined)
    }
    examined += 1
  }

  /// Returns the number of rows of the page that are done when this number of rows is written.
  func done(after written: Int) -> Int {
    guard written < rows.count else { return examined }
    guard let places else { return written }
    return written == 0 ? 0 : places[written - 1] + 1
  }
}
