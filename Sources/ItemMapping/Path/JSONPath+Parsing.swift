extension JSONPath {
  /// Parses a path.
  ///
  /// - Throws: ``JSONPath/ParsingError`` with the position of the first error. A path that could
  ///   match more than one value is an error too: use ``JSONView/query(_:)`` for those.
  public init(parsing text: some StringProtocol) throws(JSONPath.ParsingError) {
    var reader = JSONPathReader(String(text))
    self.init(
      try reader.peek("/") ? JSONPathGrammar.pointer(&reader) : JSONPathGrammar.path(&reader))
  }

  /// Parses a JSON Pointer. An empty text refers to the outermost value.
  package init(pointer text: some StringProtocol) throws(JSONPath.ParsingError) {
    var reader = JSONPathReader(String(text))
    self.init(try JSONPathGrammar.pointer(&reader))
  }
}

private enum JSONPathGrammar {
  static func pointer(_ reader: inout JSONPathReader) throws(JSONPath.ParsingError) -> [JSONPath
    .Segment]
  {
    var segments: [JSONPath.Segment] = []
    while !reader.isAtEnd {
      guard reader.take("/") else { throw reader.fault("'/'") }
      var token: [UInt8] = []
      while let byte = reader.peek, byte != UInt8(ascii: "/") {
        if reader.take("~0") {
          token.append(UInt8(ascii: "~"))
        } else if reader.take("~1") {
          token.append(UInt8(ascii: "/"))
        } else if byte == UInt8(ascii: "~") {
          throw reader.fault("'~0' or '~1'")
        } else {
          token.append(byte)
          reader.at += 1
        }
      }
      segments.append(segment(token))
    }
    return segments
  }

  /// Returns the step of a reference token. Digits are a position, up to the limit for positions in
  /// brackets; larger numbers are names, since no array has so many elements.
  private static func segment(_ token: [UInt8]) -> JSONPath.Segment {
    let name = String(decoding: token, as: UTF8.self)
    let isIndex =
      token.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
      && (token.count == 1 || token.first != UInt8(ascii: "0"))
    guard isIndex, let position = Int(name), position < 1 << 53 else { return .name(name) }
    return .token(position)
  }

  static func path(_ reader: inout JSONPathReader) throws(JSONPath.ParsingError) -> [JSONPath
    .Segment]
  {
    var segments: [JSONPath.Segment] = []
    // Without a leading `$.`, the path starts with a name.
    var nameIsDue = false
    if reader.take("$") {
      // The root.
    } else if !reader.peek("[") {
      nameIsDue = true
    }
    while true {
      if nameIsDue {
        segments.append(.name(try bareName(&reader)))
        nameIsDue = false
      }
      let end = reader.at
      reader.skipBlanks()
      if reader.isAtEnd {
        guard end == reader.at else { throw reader.fault("the end without white space", at: end) }
        return segments
      }
      if reader.take(".") {
        nameIsDue = true
      } else if reader.take("[") {
        segments.append(try bracket(&reader))
      } else {
        throw reader.fault("'.', '[' or the end")
      }
    }
  }

  private static func bareName(_ reader: inout JSONPathReader) throws(JSONPath.ParsingError)
    -> String
  {
    let start = reader.at
    while let byte = reader.peek, isBare(byte, isFirst: reader.at == start) { reader.at += 1 }
    guard reader.at > start else {
      throw reader.fault(
        reader.peek("*") || reader.peek(".") ? single : "a name (quote others: ['…'])")
    }
    return String(decoding: reader.bytes[start..<reader.at], as: UTF8.self)
  }

  private static func isBare(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "@"), 0x80...:
      true
    case UInt8(ascii: "$"): !isFirst
    default: false
    }
  }

  private static let single = "one name or index, since a path has no patterns"

  private static func bracket(
    _ reader: inout JSONPathReader
  ) throws(JSONPath.ParsingError) -> JSONPath.Segment {
    reader.skipBlanks()
    let segment: JSONPath.Segment
    switch reader.peek ?? 0 {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): segment = .name(try reader.quoted())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      segment = .index(try reader.integer())
    case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: ":"): throw reader.fault(single)
    default: throw reader.fault("a name in quotes or an index")
    }
    reader.skipBlanks()
    guard reader.take("]") else {
      throw reader.fault(reader.peek(",") || reader.peek(":") ? "']': \(single)" : "']'")
    }
    return segment
  }
}

extension JSONPath {
  /// An error in the text of a path or a query.
  public struct ParsingError: Error, Sendable, Hashable {
    /// The text of the path.
    public let text: String
    /// The number of Unicode scalars before the error.
    public let position: Int
    /// What the parser expected at that position.
    public let expected: String
  }
}

extension JSONPath.ParsingError: CustomStringConvertible {
  /// One line with the path, the position and the expected text.
  public var description: String {
    let scalars = Array(text.unicodeScalars)
    let found = position < scalars.count ? "“\(scalars[position])”" : "the end"
    return
      "can't parse “\(text)”: at character \(position + 1), expected \(expected), found \(found)"
  }
}
