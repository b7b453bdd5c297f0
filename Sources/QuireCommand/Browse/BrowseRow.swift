internal import Quire

/// What one line says of any JSON value.
struct BrowseRow {
  /// Members that a reader would look at first, the best one first.
  private static let titles = [
    "title", "name", "full_name", "fullName", "display_name", "displayName", "label", "subject",
    "headline", "summary", "message", "text", "description", "login", "username", "email", "slug",
  ]
  private static let identities = ["id", "_id", "uuid", "guid", "node_id"]
  /// An id in one service, and in another what several rows have in common, as rows of key and value do.
  private static let references = ["key", "url", "href"]
  /// More than any terminal shows in a line.
  private static let longest = 500

  /// Where the title is; looked for where it is `nil`.
  var title: JSONPath?

  func content(of item: JSONView) -> RowContent {
    let text = title.flatMap { item[$0] }.flatMap(Self.text) ?? Self.title(of: item)
    guard let text else { return RowContent(Self.line(item)) }
    let names = Self.identities + Self.references
    let id = names.lazy.compactMap { item[$0] }.compactMap(Self.text).first
    return RowContent(text, subtitle: id == text ? nil : id)
  }

  /// What makes an item the same one, wherever it turns up again.
  static func identity(by identity: WalkIdentity) -> ItemIdentity<JSONView> {
    switch identity {
    case .none: .none
    case .at(let path): .by { RowID(at: path, in: $0) ?? RowID(JSONAny($0)) }
    case .recognised: .by { Self.identity(of: $0) }
    }
  }

  /// Its id, else all of it.
  @Sendable static func identity(of item: JSONView) -> RowID {
    // A reference is an id where the row says nothing else, so no row is taken for another one.
    let isReference = item.kind == .object && !item.members.dropFirst().contains { _ in true }
    for name in isReference ? identities + references : identities {
      if let number = item[name]?.int { return .number(number) }
      if let text = item[name]?.string { return .text(text) }
    }
    return RowID(JSONAny(item))
  }

  private static func title(of item: JSONView) -> String? {
    if let text = text(item) { return text }
    guard item.kind == .object else { return nil }
    for name in titles {
      if let text = item[name].flatMap(text) { return text }
    }
    // Many APIs wrap what they tell of an item once more.
    for member in item.members where member.value.kind == .object {
      for name in titles.prefix(9) {
        if let text = member.value[name].flatMap(text) { return text }
      }
    }
    return nil
  }

  /// A text or a number, if it says anything.
  private static func text(_ value: JSONView) -> String? {
    switch value.kind {
    case .string:
      value.string.flatMap { text in
        text.allSatisfy(\.isWhitespace) ? nil : String(text.prefix(longest))
      }
    case .number: value.numberText
    case .null, .bool, .array, .object: nil
    }
  }

  /// The beginning of the value as JSON. What is beyond the line is not even written.
  static func line(_ value: JSONView) -> String {
    var line = ""
    write(value, to: &line)
    return line
  }

  private static func write(_ value: JSONView, to line: inout String) {
    guard line.utf8.count < longest else { return }
    switch value.kind {
    case .array:
      line += "["
      for (number, element) in value.elements.enumerated() {
        guard line.utf8.count < longest else { break }
        if number > 0 { line += ", " }
        write(element, to: &line)
      }
      line += "]"
    case .object:
      line += "{"
      for (number, member) in value.members.enumerated() {
        guard line.utf8.count < longest else { break }
        if number > 0 { line += ", " }
        line += "\(member.name): "
        write(member.value, to: &line)
      }
      line += "}"
    case .string: line += JSONAny.string(String((value.string ?? "").prefix(longest))).text()
    default: line += value.text
    }
  }
}
