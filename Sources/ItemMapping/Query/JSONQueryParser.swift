extension JSONQuery {
  /// Parses a query.
  ///
  /// - Throws: ``JSONPath/ParsingError`` with the position of the first error.
  package init(_ text: some StringProtocol) throws(JSONPath.ParsingError) {
    var parser = JSONQueryParser(String(text))
    self.init(text: String(text), segments: try parser.query())
  }
}

/// A parser of the grammar of RFC 9535. The conditions are in an extension.
struct JSONQueryParser {
  var reader: JSONPathReader
  /// The number of open filters, parentheses and functions.
  var depth = 0

  init(_ text: String) { reader = JSONPathReader(text) }

  mutating func query() throws(JSONPath.ParsingError) -> [JSONQuery.Segment] {
    guard reader.take("$") else { throw reader.fault("'$'") }
    let segments = try segments()
    guard reader.isAtEnd else { throw reader.fault("'.', '[' or the end") }
    return segments
  }

  mutating func segments() throws(JSONPath.ParsingError) -> [JSONQuery.Segment] {
    var segments: [JSONQuery.Segment] = []
    while true {
      let end = reader.at
      reader.skipBlanks()
      if reader.take("..") {
        let selectors = reader.peek("[") ? try bracket() : [try shorthand()]
        segments.append(JSONQuery.Segment(isDescendant: true, selectors: selectors))
      } else if reader.take(".") {
        segments.append(JSONQuery.Segment(selectors: [try shorthand()]))
      } else if reader.peek("[") {
        segments.append(JSONQuery.Segment(selectors: try bracket()))
      } else {
        // The white space belongs to the following token.
        reader.at = end
        return segments
      }
    }
  }

  private mutating func shorthand() throws(JSONPath.ParsingError) -> JSONQuery.Selector {
    if reader.take("*") { return .wildcard }
    let start = reader.at
    while let byte = reader.peek, Self.isName(byte, isFirst: reader.at == start) { reader.at += 1 }
    guard reader.at > start else { throw reader.fault("a name or '*'") }
    return .name(JSONKey(String(decoding: reader.bytes[start..<reader.at], as: UTF8.self)))
  }

  private static func isName(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), 0x80...:
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): !isFirst
    default: false
    }
  }

  private mutating func bracket() throws(JSONPath.ParsingError) -> [JSONQuery.Selector] {
    guard reader.take("[") else { throw reader.fault("'['") }
    var selectors: [JSONQuery.Selector] = []
    repeat {
      reader.skipBlanks()
      selectors.append(try selector())
      reader.skipBlanks()
    } while reader.take(",")
    guard reader.take("]") else { throw reader.fault("',' or ']'") }
    return selectors
  }

  private mutating func selector() throws(JSONPath.ParsingError) -> JSONQuery.Selector {
    switch reader.peek ?? 0 {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(JSONKey(try reader.quoted()))
    case UInt8(ascii: "*"):
      reader.at += 1
      return .wildcard
    case UInt8(ascii: "?"):
      reader.at += 1
      reader.skipBlanks()
      return .filter(try condition())
    case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return try positions()
    default: throw reader.fault("a name in quotes, a position, a slice, '*' or a filter")
    }
  }

  /// Parses an index or a slice, which start the same way.
  private mutating func positions() throws(JSONPath.ParsingError) -> JSONQuery.Selector {
    var start: Int?
    if !reader.peek(":") {
      let index = try reader.integer()
      let end = reader.at
      reader.skipBlanks()
      guard reader.peek(":") else {
        reader.at = end
        return .index(index)
      }
      start = index
    }
    _ = reader.take(":")
    let end = try bound()
    guard reader.take(":") else { return .slice(start: start, end: end, step: 1) }
    return .slice(start: start, end: end, step: try bound() ?? 1)
  }

  /// Parses the integer after a colon, with the white space on both sides of it. White space before
  /// a colon or the bracket may belong to either.
  private mutating func bound() throws(JSONPath.ParsingError) -> Int? {
    reader.skipBlanks()
    guard let byte = reader.peek, byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 else {
      return nil
    }
    let value = try reader.integer()
    reader.skipBlanks()
    return value
  }
}
