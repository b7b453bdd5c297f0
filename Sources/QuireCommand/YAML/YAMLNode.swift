/// A value of a YAML document, and where it is.
struct YAMLNode: Sendable {
  indirect enum Content: Sendable {
    case text(String, isQuoted: Bool)
    case list([YAMLNode])
    case map([(key: YAMLNode, value: YAMLNode)])
  }

  var content: Content
  var place: TextPlace

  /// The text of a scalar, as it is written: `no` and `1.10` are texts like others.
  var text: String? {
    if case .text(let text, _) = content { text } else { nil }
  }

  /// Whether nothing is written, as after `items:`, or `null`.
  var isNothing: Bool {
    guard case .text(let text, false) = content else { return false }
    return text.isEmpty || isNull
  }

  /// Whether it is `null`, which takes a default away.
  var isNull: Bool {
    guard case .text(let text, false) = content else { return false }
    return ["~", "null", "Null", "NULL"].contains(text)
  }

  /// What kind of value it is, for errors.
  var kind: String {
    switch content {
    case .text where isNothing: "nothing"
    case .text(let text, _): "“\(text)”"
    case .list: "a list"
    case .map: "a map"
    }
  }
}

/// A place in a text. Both numbers begin at 1.
struct TextPlace: Hashable, Sendable, Comparable {
  var line: Int
  var column: Int

  static func < (a: TextPlace, b: TextPlace) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// What is wrong at a place of a text.
struct TextProblem: Error, Hashable, Sendable {
  var place: TextPlace
  var text: String
}
