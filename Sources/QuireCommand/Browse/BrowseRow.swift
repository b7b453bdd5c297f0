internal import Quire

/// What one line says of any JSON value.
struct BrowseRow {
  /// Members that a reader would look at first, the best one first.
  private static let titles = [
    "title", "name", "full_name", "fullName", "display_name", "displayName", "label", "subject",
    "headline", "summary", "message", "text", "description", "login", "username", "email", "slug",
  ]
  private static let identities = ["id", "_id", "uuid", "guid", "key", "node_id", "url", "href"]
  /// More than any terminal shows in a line.
  private static let longest = 500

  /// Where the title is; looked for where it is `nil`.
  var title: JSONPath?

  func content(of item: JSONAny) -> RowContent {
    let text = title.flatMap { item[$0] }.flatMap(Self.text) ?? Self.title(of: item)
    guard let text else { return RowContent(Self.line(item)) }
    let id = Self.identities.lazy.compactMap { item[$0] }.compactMap(Self.text).first
    return RowContent(text, subtitle: id == text ? nil : id)
  }

  /// What makes an item the same one, wherever it turns up again: its id, else all of it.
  @Sendable static func identity(of item: JSONAny) -> RowID {
    for name in identities {
      if let number = item[name]?.int { return .number(number) }
      if let text = item[name]?.string { return .text(text) }
    }
    return RowID(item)
  }

  private static func title(of item: JSONAny) -> String? {
    if let text = text(item) { return text }
    guard let object = item.object else { return nil }
    for name in titles {
      if let text = object[name].flatMap(text) { return text }
    }
    // Many APIs wrap what they tell of an item once more.
    for member in object {
      guard let inner = member.value.object else { continue }
      for name in titles.prefix(9) {
        if let text = inner[name].flatMap(text) { return text }
      }
    }
    return nil
  }

  /// A text or a number, if it says anything.
  private static func text(_ value: JSONAny) -> String? {
    switch value {
    case .string(let text): text.allSatisfy(\.isWhitespace) ? nil : String(text.prefix(longest))
    case .int, .uint, .double, .number: value.text()
    case .null, .bool, .array, .object: nil
    }
  }

  /// The beginning of the value as JSON. What is beyond the line is not even written.
  static func line(_ value: JSONAny) -> String {
    var line = ""
    write(value, to: &line)
    return line
  }

  private static func write(_ value: JSONAny, to line: inout String) {
    guard line.utf8.count < longest else { return }
    switch value {
    case .array(let elements):
      line += "["
      for (number, element) in elements.enumerated() where line.utf8.count < longest {
        if number > 0 { line += ", " }
        write(element, to: &line)
      }
      line += "]"
    case .object(let object):
      line += "{"
      for (number, member) in object.enumerated() where line.utf8.count < longest {
        if number > 0 { line += ", " }
        line += "\(member.name): "
        write(member.value, to: &line)
      }
      line += "}"
    case .string(let text): line += JSONAny.string(String(text.prefix(longest))).text()
    default: line += value.text()
    }
  }
}
