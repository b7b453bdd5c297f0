extension JSONAny {
  /// The value as JSON: on one line without blanks, or with `isPretty` one member per line, indented
  /// by two. Numbers kept as text are written digit for digit. A `Double` that is not finite becomes
  /// `null`.
  public func text(isPretty: Bool = false) -> String {
    String(decoding: utf8(isPretty: isPretty), as: UTF8.self)
  }

  /// The bytes of ``text(isPretty:)``.
  public func utf8(isPretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(isPretty: isPretty)
    write(to: &writer)
    return writer.bytes
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.integer(value)
    case .uint(let value): writer.integer(value)
    case .double(let value): writer.double(value)
    case .number(let number): writer.literal(number.text)
    case .string(let value): writer.string(value)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let object):
      writer.beginObject()
      for (name, value) in object {
        writer.name(name)
        value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension JSONAny: CustomStringConvertible {
  /// The value as JSON on one line.
  public var description: String { text() }
}

extension JSONObject: CustomStringConvertible {
  /// The object as JSON on one line.
  public var description: String { text() }

  /// The object as JSON; see ``JSONAny/text(isPretty:)``.
  public func text(isPretty: Bool = false) -> String {
    JSONAny.object(self).text(isPretty: isPretty)
  }

  /// The bytes of ``text(isPretty:)``.
  public func utf8(isPretty: Bool = false) -> [UInt8] {
    JSONAny.object(self).utf8(isPretty: isPretty)
  }
}
