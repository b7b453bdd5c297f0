internal import Quire
internal import Support

/// Summarizes any JSON value in one line.
struct BrowseRow {
  /// The names of members that can be a title, best first.
  private static let titles = [
    "title", "name", "full_name", "fullName", "display_name", "displayName", "label", "subject",
    "headline", "summary", "message", "text", "description", "login", "username", "email", "slug",
  ]
  /// The names of members that stand for the object that has them, best first.
  static let namesOfObjects = titles.prefix(9) + ["login", "username", "amount", "value"]
  /// Shown if a row has no id. Not used as identity, since several rows can share a key, URL or href.
  private static let references: [JSONPath] = ["key", "url", "href"]
  /// More characters than any terminal shows in a line.
  private static let maximumLength = 500

  /// The path of the title; `nil` to detect it.
  var title: JSONPath?

  func content(of item: JSONView) -> RowContent {
    guard let text = title(of: item) else { return RowContent(Self.line(item)) }
    let places = RowIDFinder.paths + Self.references
    let id = places.lazy.compactMap { item[$0] }.compactMap(Self.text).first { _ in true }
    return RowContent(text, subtitle: id == text ? nil : id)
  }

  /// Returns the text that names the item; `nil` if it has none.
  func title(of item: JSONView) -> String? {
    title.flatMap { item[$0] }.flatMap(Self.text) ?? Self.detectedTitle(of: item)
  }

  private static func detectedTitle(of item: JSONView) -> String? {
    if let text = text(item) { return text }
    guard item.kind == .object else { return nil }
    for name in titles {
      if let text = item[name].flatMap(text) { return text }
    }
    // Many APIs wrap the members of an item in one more object.
    for member in item.members where member.value.kind == .object {
      for name in titles.prefix(9) {
        if let text = member.value[name].flatMap(text) { return text }
      }
    }
    return nil
  }

  /// Returns a string or a number as text; `nil` for a blank string and for all other values.
  static func text(_ value: JSONView) -> String? {
    switch value.kind {
    case .string:
      value.string.flatMap { text in
        text.allSatisfy(\.isWhitespace) ? nil : String(text.prefix(maximumLength))
      }
    case .number: value.numberText
    case .null, .bool, .array, .object: nil
    }
  }

  /// Returns the start of the value as JSON. Stops writing at the end of the line.
  static func line(_ value: JSONView) -> String {
    var line = ""
    write(value, to: &line)
    return line
  }

  private static func write(_ value: JSONView, to line: inout String) {
    guard line.utf8.count < maximumLength else { return }
    switch value.kind {
    case .array:
      line += "["
      for (number, element) in value.elements.enumerated() {
        guard line.utf8.count < maximumLength else { break }
        if number > 0 { line += ", " }
        write(element, to: &line)
      }
      line += "]"
    case .object:
      line += "{"
      for (number, member) in value.members.enumerated() {
        guard line.utf8.count < maximumLength else { break }
        if number > 0 { line += ", " }
        line += "\(member.name): "
        write(member.value, to: &line)
      }
      line += "}"
    case .string: line += JSONAny.string(String((value.string ?? "").prefix(maximumLength))).text()
    default: line += value.text
    }
  }
}

/// The identity of rows in `quire browse`.
enum BrowseIdentity {
  /// - Parameter items: The path of the rows in a page; `nil` to detect it.
  static func of(_ identity: PageWalk.Identity, at items: JSONPath?) -> ItemIdentity<JSONView> {
    switch identity {
    case .none: return .none
    case .by(let path): return .by { id(of: $0, at: path) }
    case .recognized:
      let detected = DetectedPath()
      return .by { id(of: $0, at: detected.path(inPageOf: $0, at: items)) }
    }
  }

  /// Returns the id of the row, or the whole row if it has none.
  private static func id(of row: JSONView, at path: JSONPath?) -> RowID {
    path.flatMap { RowID(at: $0, in: row) } ?? RowID(JSONAny(row))
  }

  /// The path of the ids, detected in the first page: as in a crawl, all rows there must have different ids.
  private final class DetectedPath: Sendable {
    /// `nil` before the first row. Held during the detection, which runs once.
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
