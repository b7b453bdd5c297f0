internal import Quire
internal import Support

/// The members of a row that are wanted, and what they are called.
struct Selection: Sendable {
  struct Field: Hashable, Sendable {
    var name: String
    var path: JSONPath
  }

  private(set) var fields: [Field] = []
  /// The members of a row that paths begin with.
  private let heads: Columns
  /// The head of each path and the rest behind it; `nil` for a path that begins with no name.
  private let tails: [(head: Int, path: JSONPath)?]

  /// Up to so many fields, a search for each of them is faster.
  private static let few = 8

  /// Reads `id,title=book.title`.
  init(_ texts: [String]) throws(UsageError) {
    for part in texts.flatMap(Words.list) {
      let field = try Self.field(part)
      if fields.contains(where: { $0.name == field.name }) {
        throw UsageError(
          "--select has “\(field.name)” twice; give one another name: other=\(part)")
      }
      fields.append(field)
    }
    if fields.isEmpty { throw UsageError("--select names no member") }
    let names = fields.map { field -> String? in
      if case .name(let name)? = field.path.segments.first { name } else { nil }
    }
    let heads = Columns(names.compactMap(\.self))
    self.heads = heads
    tails = zip(fields, names).map { field, name in
      name.flatMap { heads.place(of: $0) }.map {
        ($0, JSONPath(Array(field.path.segments.dropFirst())))
      }
    }
  }

  /// Returns the value of each field in a row. Many fields are found by one pass over its members.
  func values(of row: JSONView) -> [JSONView?] {
    guard fields.count > Self.few else { return fields.map { row[$0.path] } }
    let values = heads.values(of: row.members) { _ in }
    return zip(fields, tails).map { field, tail in
      tail.map { values[$0.head]?[$0.path] } ?? row[field.path]
    }
  }

  private static func field(_ part: String) throws(UsageError) -> Field {
    // A quoted name in a path may have an equals sign, a name before it has no bracket.
    if let equals = part.firstIndex(of: "="), !part[..<equals].contains("["),
      !part[..<equals].hasPrefix("$")
    {
      let path = String(part[part.index(after: equals)...].withoutBlanks)
      let name = String(part[..<equals].withoutBlanks)
      return Field(name: name, path: try Words.path(path, of: "select"))
    }
    let path = try Words.path(part, of: "select")
    if case .name(let name)? = path.segments.last { return Field(name: name, path: path) }
    return Field(name: part, path: path)
  }

  /// The selected members as an object on one line, each digit for digit.
  func text(of row: JSONView) -> String {
    let members = zip(fields, values(of: row)).map { field, value in
      JSONAny.string(field.name).text() + ":" + (value?.oneLine ?? "null")
    }
    return "{\(members.joined(separator: ","))}"
  }
}

extension JSONView {
  /// The value as it was sent. What stood on several lines is put on one.
  var oneLine: String {
    let text = text
    guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
    var isInText = false
    var isEscaped = false
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else {
          isInText = byte != 0x22
        }
      } else if byte == 0x22 {
        isInText = true
      } else if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
        continue
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
