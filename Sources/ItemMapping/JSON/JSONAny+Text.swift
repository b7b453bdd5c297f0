extension JSONAny {
  /// Returns the value as JSON: on one line without spaces or, with `isPretty`, one member per line
  /// with an indentation of two. Numbers kept as text are written digit for digit. A `Double` that
  /// is not finite becomes `null`.
  public func text(isPretty: Bool = false) -> String {
    String(decoding: utf8(isPretty: isPretty), as: UTF8.self)
  }

  /// Returns the bytes of ``text(isPretty:)``.
  package func utf8(isPretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(isPretty: isPretty)
    write(to: &writer)
    return writer.bytes
  }

  /// Writes the value. Open containers are kept in a list, so depth uses no stack.
  func write(to writer: inout JSONWriter) {
    var open: [(container: JSONAny, next: Int)] = []
    begin(in: &writer, &open)
    while let (container, start) = open.popLast() {
      switch container {
      case .object(let object): object.write(from: start, in: &writer, &open)
      default: (container.array ?? []).write(from: start, in: &writer, &open)
      }
    }
  }

  /// Writes a scalar, or the opening bracket of a container whose contents follow.
  fileprivate func begin(
    in writer: inout JSONWriter, _ open: inout [(container: JSONAny, next: Int)]
  ) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.integer(value)
    case .uint(let value): writer.integer(value)
    case .double(let value): writer.double(value)
    case .number(let number): writer.literal(number.text)
    case .string(let value): writer.string(value)
    case .array:
      writer.beginArray()
      open.append((self, 0))
    case .object:
      writer.beginObject()
      open.append((self, 0))
    }
  }
}

extension [JSONAny] {
  /// Writes elements up to the next container, whose contents are written before the rest.
  fileprivate func write(
    from start: Int, in writer: inout JSONWriter, _ open: inout [(container: JSONAny, next: Int)]
  ) {
    for next in start..<count {
      let outer = open.count
      self[next].begin(in: &writer, &open)
      if open.count > outer {
        open.insert((.array(self), next + 1), at: outer)
        return
      }
    }
    writer.endArray()
  }
}

extension JSONObject {
  fileprivate func write(
    from start: Int, in writer: inout JSONWriter, _ open: inout [(container: JSONAny, next: Int)]
  ) {
    for next in start..<count {
      let outer = open.count
      let (name, value) = self[next]
      writer.name(name)
      value.begin(in: &writer, &open)
      if open.count > outer {
        open.insert((.object(self), next + 1), at: outer)
        return
      }
    }
    writer.endObject()
  }
}

extension JSONAny: CustomStringConvertible {
  /// The value as JSON on one line.
  public var description: String { text() }
}

extension JSONObject: CustomStringConvertible {
  /// The object as JSON on one line.
  public var description: String { text() }

  /// Returns the object as JSON; see ``JSONAny/text(isPretty:)``.
  public func text(isPretty: Bool = false) -> String {
    JSONAny.object(self).text(isPretty: isPretty)
  }

  /// Returns the bytes of ``text(isPretty:)``.
  package func utf8(isPretty: Bool = false) -> [UInt8] {
    JSONAny.object(self).utf8(isPretty: isPretty)
  }
}
