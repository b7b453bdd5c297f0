internal import Quire
internal import Support

/// Paths and places as they are written in options, read and written.
enum Words {
  static func path(_ text: String, of option: String) throws(UsageError) -> JSONPath {
    do throws(JSONPath.ParsingError) {
      return try JSONPath(parsing: text)
    } catch {
      throw UsageError("--\(option): \(error)")
    }
  }

  /// `data.next`, `header:NAME`, `header:NAME#PATH` or `rel:NAME@PATH`.
  static func source(_ text: String, of option: String) throws(UsageError) -> ResponseLocation {
    if text.hasPrefix("header:") {
      let name = String(text.dropFirst("header:".count))
      guard let hash = name.firstIndex(of: "#") else {
        return .header(try self.name(name, of: option))
      }
      return .headerJSON(
        try self.name(String(name[..<hash]), of: option),
        at: try path(String(name[name.index(after: hash)...]), of: option))
    }
    if text.hasPrefix("rel:"), let at = text.firstIndex(of: "@") {
      let relation = text[..<at].dropFirst("rel:".count)
      return .relation(
        String(relation), in: try path(String(text[text.index(after: at)...]), of: option))
    }
    return .body(try path(text, of: option))
  }

  /// `query:NAME` or `NAME`, `body:PATH`, `header:NAME` or `path:NAME`.
  static func place(_ text: String, of option: String) throws(UsageError) -> RequestLocation {
    guard let colon = text.firstIndex(of: ":") else {
      return .query(try name(text, of: option))
    }
    let rest = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "query": return .query(try name(rest, of: option))
    case "header": return .header(try name(rest, of: option))
    case "path": return .path(try name(rest, of: option))
    case "body": return .body(try path(rest, of: option))
    case "members": return .members
    default:
      throw UsageError(
        "--\(option) is query:NAME, body:PATH, header:NAME or path:NAME, found “\(text)”")
    }
  }

  private static func name(_ text: String, of option: String) throws(UsageError) -> String {
    if text.isEmpty { throw UsageError("--\(option) has an empty name") }
    return text
  }

  /// Parts between commas that are neither in brackets nor in quotes.
  static func list(_ text: String) -> [String] {
    var parts = [""]
    var depth = 0
    var quote: Character?
    for character in text {
      switch character {
      case "'", "\"":
        if quote == nil { quote = character } else if quote == character { quote = nil }
      case "[" where quote == nil: depth += 1
      case "]" where quote == nil: depth -= 1
      default: break
      }
      if character == ",", quote == nil, depth <= 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { String($0.withoutBlanks) }.filter { !$0.isEmpty }
  }

  static func text(_ place: ResponseLocation) -> String {
    switch place {
    case .body: "\(place)"
    case .header(let name): "header:\(name)"
    case .headerJSON(let name, let path): "header:\(name)#\(text(path))"
    case .relation(let name, let path): "rel:\(name)@\(text(path))"
    }
  }

  static func text(_ place: RequestLocation) -> String {
    switch place {
    case .query(let name): "query:\(name)"
    case .members: "members:"
    case .header(let name): "header:\(name)"
    case .path(let name): "path:\(name)"
    case .body(let path): "body:\(text(path))"
    }
  }

  /// A path as people write it.
  static func text(_ path: JSONPath) -> String { "\(ResponseLocation.body(path))" }

  /// A word as a shell takes it.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./:,@=+%".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
