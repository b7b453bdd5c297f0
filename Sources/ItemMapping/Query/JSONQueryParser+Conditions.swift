extension JSONQueryParser {
  private static var maximumDepth: Int { 50 }

  /// Parses a filter's condition: `||` binds weakest, then `&&`, then `!`.
  mutating func condition() throws(JSONPath.ParsingError) -> JSONQuery.Condition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw reader.fault("at most \(Self.maximumDepth) levels")
    }
    var choices = [try conjunction()]
    while takeOperator("||") { choices.append(try conjunction()) }
    return choices.count == 1 ? choices[0] : .any(choices)
  }

  private mutating func conjunction() throws(JSONPath.ParsingError) -> JSONQuery.Condition {
    var parts = [try basic()]
    while takeOperator("&&") { parts.append(try basic()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func takeOperator(_ symbol: StaticString) -> Bool {
    let end = reader.at
    reader.skipBlanks()
    if reader.take(symbol) {
      reader.skipBlanks()
      return true
    }
    reader.at = end
    return false
  }

  private mutating func basic() throws(JSONPath.ParsingError) -> JSONQuery.Condition {
    if reader.take("!") {
      reader.skipBlanks()
      if reader.take("(") { return .not(try parenthesized()) }
      let start = reader.at
      guard case .condition(let condition) = try term() else {
        throw reader.fault("a query, a test or '('", at: start)
      }
      return .not(condition)
    }
    if reader.take("(") { return try parenthesized() }
    let start = reader.at
    let left = try term()
    let end = reader.at
    reader.skipBlanks()
    if let comparison = comparison() {
      guard let left = left.operand else {
        throw reader.fault("a single value on the left of a comparison", at: start)
      }
      reader.skipBlanks()
      let place = reader.at
      guard let right = try term().operand else {
        throw reader.fault("a single value on the right of a comparison", at: place)
      }
      return .compare(left, comparison, right)
    }
    reader.at = end
    guard case .condition(let condition) = left else { throw reader.fault("a comparison") }
    return condition
  }

  private mutating func parenthesized() throws(JSONPath.ParsingError) -> JSONQuery.Condition {
    reader.skipBlanks()
    let condition = try condition()
    reader.skipBlanks()
    guard reader.take(")") else { throw reader.fault("'&&', '||' or ')'") }
    return condition
  }

  private mutating func comparison() -> JSONQuery.Comparison? {
    if reader.take("==") { return .equal }
    if reader.take("!=") { return .notEqual }
    if reader.take("<=") { return .lessOrEqual }
    if reader.take(">=") { return .greaterOrEqual }
    if reader.take("<") { return .less }
    if reader.take(">") { return .greater }
    return nil
  }

  /// Either side of a comparison, or a test on its own.
  private enum Term {
    /// A value that is not a test.
    case operand(JSONQuery.Operand)
    /// A test that is not a value, or a query, which is both.
    case condition(JSONQuery.Condition)

    var operand: JSONQuery.Operand? {
      switch self {
      case .operand(let operand): operand
      case .condition(.exists(let inner)): inner.isSingular ? .query(inner) : nil
      case .condition: nil
      }
    }
  }

  private mutating func term() throws(JSONPath.ParsingError) -> Term {
    if reader.peek("@") || reader.peek("$") { return .condition(.exists(try inner())) }
    if let literal = try literal() { return .operand(.literal(literal)) }
    return try function()
  }

  private mutating func inner() throws(JSONPath.ParsingError) -> JSONQuery.Inner {
    let isRelative = reader.take("@")
    guard isRelative || reader.take("$") else { throw reader.fault("a query") }
    return JSONQuery.Inner(isRelative: isRelative, segments: try segments())
  }

  private mutating func literal() throws(JSONPath.ParsingError) -> JSONQueryValue? {
    switch reader.peek ?? 0 {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(Array(try reader.quoted().utf8))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: break
    }
    if reader.take("true") { return .bool(true) }
    if reader.take("false") { return .bool(false) }
    if reader.take("null") { return .null }
    return nil
  }

  private mutating func number() throws(JSONPath.ParsingError) -> JSONQueryValue {
    let start = reader.at
    _ = reader.take("-")
    try digits(expected: "a digit", mayLeadWithZero: false)
    var isInteger = true
    if reader.take(".") {
      isInteger = false
      try digits(expected: "a digit")
    }
    if reader.take("e") || reader.take("E") {
      isInteger = false
      _ = reader.take("+") || reader.take("-")
      try digits(expected: "a digit")
    }
    let text = String(decoding: reader.bytes[start..<reader.at], as: UTF8.self)
    if isInteger, let value = Int128(text) { return .integer(value) }
    guard let value = Double(text) else { throw reader.fault("a number", at: start) }
    return .double(value)
  }

  private mutating func digits(
    expected: String, mayLeadWithZero: Bool = true
  ) throws(JSONPath.ParsingError) {
    let start = reader.at
    while let byte = reader.peek, byte &- UInt8(ascii: "0") < 10 { reader.at += 1 }
    guard reader.at > start else { throw reader.fault(expected) }
    guard mayLeadWithZero || reader.at == start + 1 || reader.bytes[start] != UInt8(ascii: "0")
    else { throw reader.fault("a number without a leading zero", at: start) }
  }
}

extension JSONQueryParser {
  private mutating func function() throws(JSONPath.ParsingError) -> Term {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw reader.fault("at most \(Self.maximumDepth) levels")
    }
    if reader.take("length(") {
      return .operand(.length(try only { p throws(JSONPath.ParsingError) in try p.value() }))
    }
    if reader.take("count(") {
      return .operand(.count(try only { p throws(JSONPath.ParsingError) in try p.inner() }))
    }
    if reader.take("value(") {
      return .operand(.value(try only { p throws(JSONPath.ParsingError) in try p.inner() }))
    }
    if reader.take("match(") { return .condition(try matching(isSearch: false)) }
    if reader.take("search(") { return .condition(try matching(isSearch: true)) }
    throw reader.fault("a query, a literal, or length, count, value, match or search with '('")
  }

  private mutating func only<Argument>(
    _ argument: (inout Self) throws(JSONPath.ParsingError) -> Argument
  ) throws(JSONPath.ParsingError) -> Argument {
    reader.skipBlanks()
    let argument = try argument(&self)
    reader.skipBlanks()
    guard reader.take(")") else { throw reader.fault("')'") }
    return argument
  }

  /// Parses an argument that must be a single value.
  private mutating func value() throws(JSONPath.ParsingError) -> JSONQuery.Operand {
    let start = reader.at
    guard let operand = try term().operand else { throw reader.fault("a single value", at: start) }
    return operand
  }

  private mutating func matching(isSearch: Bool) throws(JSONPath.ParsingError)
    -> JSONQuery.Condition
  {
    reader.skipBlanks()
    let text = try value()
    reader.skipBlanks()
    guard reader.take(",") else { throw reader.fault("','") }
    let pattern = try only { parser throws(JSONPath.ParsingError) in try parser.value() }
    let ready: JSONQuery.Pattern =
      switch pattern {
      case .literal(.string(let bytes)):
        IRegexp(String(decoding: bytes, as: UTF8.self)).map { .ready($0) } ?? .invalid
      case .literal: .invalid
      default: .later
      }
    return .matches(text, pattern, ready, isSearch: isSearch)
  }
}
