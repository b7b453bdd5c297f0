/// Types as they are written in Swift: `[String: Int?]`.
enum TypeName {
  static func text(_ type: any Any.Type) -> String { sugared("\(type)") }

  private static func sugared(_ name: String) -> String {
    if let wrapped = inner(name, "Optional<") { return sugared(wrapped) + "?" }
    if let element = inner(name, "Array<") { return "[" + sugared(element) + "]" }
    if let value = inner(name, "Dictionary<String, ") { return "[String: " + sugared(value) + "]" }
    return name
  }

  private static func inner(_ name: String, _ prefix: String) -> String? {
    name.hasPrefix(prefix) && name.hasSuffix(">")
      ? String(name.dropFirst(prefix.count).dropLast()) : nil
  }
}
