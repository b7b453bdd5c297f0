internal import Quire
internal import Support

/// What one line says of any JSON value.
struct BrowseRow {
  /// Members that a reader would look at first, the best one first.
  private static let titles = [
    "title", "name", "full_name", "fullName", "display_name", "displayName", "label", "subject",
    "headline", "summary", "message", "text", "description", "login", "username", "email", "slug",
  ]
  /// What is shown where a row has no id. Several rows may have it in common, as rows of key and value do.
  private static let references: [JSONPath] = ["key", "url", "href"]
  /// More than any terminal shows in a line.
  private static let longest = 500

  /// Where the title is; looked for where it is `nil`.
  var title: JSONPath?

  func content(of item: JSONView) -> RowContent {
    let text = title.flatMap { item[$0] }.flatMap(Self.text) ?? Self.title(of: item)
    guard let text else { return RowContent(Self.line(item)) }
    let places = RowIDFinder.paths + Self.references
    let id = places.lazy.compactMap { item[$0] }.compactMap(Self.text).first
    return RowContent(text, subtitle: id == text ? nil : id)
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

/// What makes a row the same one, wherever it turns up again.
enum BrowseIdentity {
  /// - Parameter items: Where the rows of a page are; looked for where it is `nil`.
  static func of(_ identity: PageWalk.Identity, at items: JSONPath?) -> ItemIdentity<JSONView> {
    switch identity {
    case .none: return .none
    case .by(let path): return .by { id(of: $0, at: path) }
    case .recognized:
      let known = FirstPage()
      return .by { id(of: $0, at: known.path(inPageOf: $0, at: items)) }
    }
  }

  /// Its id, else all of it.
  private static func id(of row: JSONView, at path: JSONPath?) -> RowID {
    path.flatMap { RowID(at: $0, in: row) } ?? RowID(JSONAny(row))
  }

  /// Where the ids of a list are, as its first page shows: as in a crawl, each row there has one of its own.
  private final class FirstPage: Sendable {
    /// `nil` before the first row. Guards what is found once; held while that is looked for.
    private let found = Lock<JSONPath??>(nil)

    func path(inPageOf row: JSONView, at items: JSONPath?) -> JSONPath? {
      found.withLock { found in
        if let path = found { return path }
        let path = RowIDFinder.path(inPageOf: row, at: items)
        found = .some(path)
        return path
      }
    }
  }
}
