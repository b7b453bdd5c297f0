extension Params {
  /// Returns a form, `application/x-www-form-urlencoded`, by the rules of WHATWG.
  func form(_ style: Params.ArrayEncoding) -> [UInt8] {
    var result: [UInt8] = []
    for item in items { item.append(to: &result, style, .form) }
    return result
  }

  /// Returns a JSON object. Several values of one name, also in separate items, become an array.
  package var json: [UInt8] {
    var names: [String] = []
    var values: [String: Params.Values] = [:]
    for item in items where !item.value.all.isEmpty {
      if let known = values[item.name] {
        values[item.name] = .many(known.all + item.value.all)
      } else {
        names.append(item.name)
        values[item.name] = item.value
      }
    }
    var result: [UInt8] = [0x7B]
    for (index, name) in names.enumerated() {
      if index > 0 { result.append(0x2C) }
      Scalar.text(name).appendJSON(to: &result)
      result.append(0x3A)
      values[name]?.appendJSON(to: &result)
    }
    return result + [0x7D]
  }

  /// The parameters in the order of their names; values with one name keep theirs.
  package var sorted: Params {
    let items = items.enumerated().sorted { a, b in
      let (first, second) = (a.element.name.utf8, b.element.name.utf8)
      if first.lexicographicallyPrecedes(second) { return true }
      return a.offset < b.offset && !second.lexicographicallyPrecedes(first)
    }
    return Params(items.map(\.element))
  }
}

extension Params.Item {
  /// Appends `&name=value`, without the `&` if `result` is empty or ends with one.
  func append(
    to result: inout [UInt8], _ style: Params.ArrayEncoding,
    _ encoding: PercentEncoding = .component
  ) {
    func begin(_ suffix: String = "") {
      if let last = result.last, last != 0x26 { result.append(0x26) }
      encoding.append(name, to: &result)
      encoding.append(suffix, to: &result)
      result.append(0x3D)
    }
    switch value {
    case .one(let value):
      begin()
      encoding.append(value.text, to: &result)
    case .many(let values) where style == .commas:
      for (index, value) in values.enumerated() {
        if index == 0 { begin() } else { result.append(0x2C) }
        encoding.append(value.text, to: &result)
      }
    case .many(let values):
      for value in values {
        begin(style == .brackets ? "[]" : "")
        encoding.append(value.text, to: &result)
      }
    }
  }
}

extension Params.Values {
  fileprivate func appendJSON(to result: inout [UInt8]) {
    switch self {
    case .one(let value): value.appendJSON(to: &result)
    case .many(let values):
      result.append(0x5B)
      for (index, value) in values.enumerated() {
        if index > 0 { result.append(0x2C) }
        value.appendJSON(to: &result)
      }
      result.append(0x5D)
    }
  }
}

extension Params.Scalar {
  fileprivate func appendJSON(to result: inout [UInt8]) {
    switch self {
    case .bool: result += text.utf8
    case .number(let digits) where Self.isJSONNumber(digits): result += digits.utf8
    case .text(let text), .number(let text):
      result.append(0x22)
      for byte in text.utf8 {
        switch byte {
        case 0x22, 0x5C: result += [0x5C, byte]
        case 0x0A: result += #"\n"#.utf8
        case 0x0D: result += #"\r"#.utf8
        case 0x09: result += #"\t"#.utf8
        case ..<0x20:
          result += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
          result += String(byte, radix: 16).utf8
        default: result.append(byte)
        }
      }
      result.append(0x22)
    }
  }

  /// Whether a text is a number by the grammar of JSON (RFC 8259, section 6).
  private static func isJSONNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func digits(_ rest: inout Substring.UTF8View) -> Int {
      let count = rest.prefix { 0x30...0x39 ~= $0 }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == 0x2D { rest = rest.dropFirst() }
    let startsWithZero = rest.first == 0x30
    let whole = digits(&rest)
    guard whole == 1 || whole > 1 && !startsWithZero else { return false }
    if rest.first == 0x2E {
      rest = rest.dropFirst()
      guard digits(&rest) > 0 else { return false }
    }
    if rest.first == 0x65 || rest.first == 0x45 {
      rest = rest.dropFirst()
      if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
      guard digits(&rest) > 0 else { return false }
    }
    return rest.isEmpty
  }
}

extension Params {
  /// How several values of one parameter are encoded in a query or a form.
  public enum ArrayEncoding: Hashable, Sendable {
    /// `tag=a&tag=b`
    case repeated
    /// `tag[]=a&tag[]=b`
    case brackets
    /// `tag=a,b`
    case commas
  }
}
