internal import ItemMapping

/// Writes a paging as Swift source, without the arguments that have their default value.
struct Declaration {
  private let name: String
  private var arguments: [String] = []

  init(_ name: String) { self.name = name }

  /// Adds an argument.
  func with(_ label: String? = nil, _ value: some DeclarationText) -> Declaration {
    var copy = self
    copy.arguments.append((label.map { "\($0): " } ?? "") + value.declared)
    return copy
  }

  /// Adds an argument unless it has its default value.
  func with<Value: DeclarationText & Equatable>(
    _ label: String, _ value: Value, unless usual: Value
  ) -> Declaration {
    value == usual ? self : with(label, value)
  }

  /// Adds the rules as the last arguments.
  func with(_ rules: [EndRule]) -> Declaration {
    var copy = self
    for (index, rule) in rules.enumerated() {
      copy.arguments.append((index == 0 ? "endsBy: " : "") + rule.declared)
    }
    return copy
  }

  /// The declaration, always with parentheses.
  var call: String { ".\(name)(\(arguments.joined(separator: ", ")))" }

  /// The declaration, without parentheses where there are no arguments.
  var text: String { arguments.isEmpty ? ".\(name)" : call }
}

/// A value that can be written as Swift source.
protocol DeclarationText {
  var declared: String { get }
}

extension Int: DeclarationText { var declared: String { "\(self)" } }
extension Bool: DeclarationText { var declared: String { "\(self)" } }
extension String: DeclarationText {
  // An apostrophe needs no escape, and paths are full of them.
  var declared: String { debugDescription.replacing("\\'", with: "'") }
}
extension JSONPath: DeclarationText { var declared: String { plainText.declared } }

extension JSONAny: DeclarationText {
  /// A literal. An array or an object, which no literal of Swift is, as its JSON.
  var declared: String { string?.declared ?? text() }
}

extension Optional: DeclarationText where Wrapped: DeclarationText {
  var declared: String { self?.declared ?? "nil" }
}

extension Array: DeclarationText where Element: DeclarationText {
  var declared: String { "[\(map(\.declared).joined(separator: ", "))]" }
}

extension ResponseLocation: DeclarationText {
  var declared: String {
    switch self {
    case .body(let path): path.declared
    case .header(let name): ".header(\(name.declared))"
    case .headerJSON(let name, let path):
      ".headerJSON(\(name.declared), at: \(path.declared))"
    case .relation(let relation, let path):
      ".relation(\(relation.declared), in: \(path.declared))"
    }
  }
}

extension RequestLocation: DeclarationText {
  var declared: String {
    switch self {
    case .query(let name): name.declared
    case .members: ".members"
    case .header(let name): ".header(\(name.declared))"
    case .path(let name): ".path(\(name.declared))"
    case .body(let path): ".body(\(path.declared))"
    case .form(let name): ".form(\(name.declared))"
    }
  }
}

extension JSONPath {
  /// The path in its short form, `data.list[0]`; the normalized form where a name needs quotes.
  var plainText: String {
    var text = ""
    for segment in segments {
      switch segment {
      case .name(let name):
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
          !scalar.isASCII || scalar.properties.isAlphabetic || "0"..."9" ~= scalar
            || "_-@".unicodeScalars.contains(scalar)
        }
        guard isPlain, !name.isEmpty else { return description }
        text += text.isEmpty ? name : "." + name
      case .index(let index), .token(let index):
        guard !text.isEmpty else { return description }
        text += "[\(index)]"
      }
    }
    return text.isEmpty ? "$" : text
  }
}
