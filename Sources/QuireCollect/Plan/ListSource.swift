internal import ItemMapping
internal import ListReading
package import ServerAPI
internal import Support

/// What decides which rows a list has, without credentials, which may change: a table has the rows of one source.
package struct ListSource: Hashable, Sendable {
  /// The parts and their values, such as `url` and the address.
  private var parts: [String: String]

  /// The source of a list. A filter that the program applies to the rows is a part of it.
  package init(_ server: Server, _ list: CollectList, filter: String? = nil) throws(RequestError) {
    parts = ["url": Redaction().url(try server.address(of: list.call)), "method": "\(list.call.method)"]
    parts["items"] = list.items?.description
    parts["id"] = list.id?.description
    parts["filter"] = filter
    if let parent = list.parent {
      parts["parent"] = parent.list
      parts["url"] = parts["url"]?.replacing("%7B", with: "{").replacing("%7D", with: "}")
    }
    for piece in list.call.body?.pieces ?? [] {
      switch piece {
      case .bytes(let bytes): parts["body", default: ""] += SHA256.name(of: Redaction().json(bytes))
      case .file(let path, _): parts["body", default: ""] += SHA256.name(of: path, salt: [])
      }
    }
  }

  /// Creates a source from its text; `nil` if it has another form.
  init?(text: String) {
    guard let object = (try? JSONDocument(Array(text.utf8))).map({ JSONAny($0.root) })?.object else { return nil }
    parts = [:]
    for member in object { parts[member.name] = member.value.string }
  }

  /// A JSON object with the parts.
  var text: String {
    JSONAny.Object(parts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }).text()
  }

  /// What this source has that another one doesn't; `nil` if they are the same.
  func difference(from other: ListSource) -> String? {
    // Above all the address.
    for name in Set(parts.keys).union(other.parts.keys).sorted(by: >) where parts[name] != other.parts[name] {
      if name == "body" { return "another body" }
      return parts[name].map { "the \(name) \($0)" } ?? "no \(name)"
    }
    return nil
  }
}
