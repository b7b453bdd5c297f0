internal import Quire
internal import Support

/// The syntax of paths, sources and places in options: parsing and formatting.
enum OptionSyntax {
  static func path(_ text: String, of option: String) throws(UsageError) -> JSONPath {
    do throws(JSONPath.ParsingError) {
      return try JSONPath(parsing: text)
    } catch {
      throw UsageError("--\(option): \(error)")
    }
  }

  /// Parses `data.next`, `header:NAME`, `header:NAME#PATH` or `rel:NAME@PATH`.
  static func source(_ text: String, of option: String) throws(UsageError) -> ResponseLocation {
    if text.hasPrefix("!") {
      throw UsageError("--\(option) can't be negated, found “\(text)”; only --has-next can")
    }
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

  /// Parses `query:NAME` or `NAME`, `body:PATH`, `form:NAME`, `header:NAME` or `path:NAME`.
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
    case "form": return .form(try name(rest, of: option))
    case "members": return .members
    default:
      throw UsageError(
        "--\(option) must be query:NAME, body:PATH, form:NAME, header:NAME or path:NAME, found “\(text)”"
      )
    }
  }

  private static func name(_ text: String, of option: String) throws(UsageError) -> String {
    if text.isEmpty { throw UsageError("--\(option) has an empty name") }
    return text
  }

  /// Splits a text at commas outside of brackets and quotes.
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

  static func text(_ location: ResponseLocation) -> String {
    switch location {
    case .body: "\(location)"
    case .header(let name): "header:\(name)"
    case .headerJSON(let name, let path): "header:\(name)#\(text(path))"
    case .relation(let name, let path): "rel:\(name)@\(text(path))"
    }
  }

  static func text(_ location: RequestLocation) -> String {
    switch location {
    case .query(let name): "query:\(name)"
    case .members: "members:"
    case .header(let name): "header:\(name)"
    case .path(let name): "path:\(name)"
    case .body(let path): "body:\(text(path))"
    case .form(let name): "form:\(name)"
    }
  }

  /// Returns a path in dotted form where possible.
  static func text(_ path: JSONPath) -> String { "\(ResponseLocation.body(path))" }

  /// Returns a word with quotes if a shell needs them.
  static func shellQuoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./:,@=+%".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
