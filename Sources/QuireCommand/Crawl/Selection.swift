internal import Quire

/// The members of a row that are wanted, and what they are called.
struct Selection: Hashable, Sendable {
  struct Field: Hashable, Sendable {
    var name: String
    var path: JSONPath
  }

  var fields: [Field] = []

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
  }

  private static func field(_ part: String) throws(UsageError) -> Field {
    // A quoted name in a path may have an equals sign, a name before it has no bracket.
    if let equals = part.firstIndex(of: "="), !part[..<equals].contains("["),
      !part[..<equals].hasPrefix("$")
    {
      let path = String(part[part.index(after: equals)...]).trimmingBlanks
      let name = String(part[..<equals]).trimmingBlanks
      return Field(name: name, path: try Words.path(path, of: "select"))
    }
    let path = try Words.path(part, of: "select")
    if case .name(let name)? = path.segments.last { return Field(name: name, path: path) }
    return Field(name: part, path: path)
  }

  /// The selected members as an object on one line, each digit for digit.
  func text(of row: JSONView) -> String {
    let members = fields.map { field in
      JSONAny.string(field.name).text() + ":" + (row[field.path]?.oneLine ?? "null")
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
