extension JSONAny: JSONValue, NullConvertible {
  /// Reads any value.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> JSONAny? {
    JSONAny(run.view(place))
  }

  /// Returns the value itself.
  public func write(as style: JSONAny.Style) -> JSONAny? { self }
}

extension JSONObject: JSONValue {
  /// Reads any object.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> JSONObject? {
    run.isObject(place, for: Self.self) ? JSONAny(run.view(place)).object : nil
  }

  /// Returns the object itself.
  public func write(as style: JSONAny.Style) -> JSONAny? { .object(self) }
}

extension JSONView: JSONValue, NullConvertible {
  /// Reads any value in place.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> JSONView? {
    run.view(place)
  }

  /// Returns a copy of the value.
  public func write(as style: JSONAny.Style) -> JSONAny? { JSONAny(self, keepingDigits: true) }
}

extension JSONView {
  /// Returns the value at a path, by the rules for properties: equivalent values are converted, and
  /// the result is `nil` if the value is missing, `null`, or can't be read.
  ///
  /// - Parameters:
  ///   - type: The type to read, such as `Bool.self`.
  ///   - path: The path, relative to this value.
  public func value<Value: JSONValue>(
    _ type: Value.Type = Value.self, at path: JSONPath = .root
  ) -> Value? {
    read { tape in
      guard let place = tape.find(path.steps, from: index),
        tape.tag(place) != JSONTape.Tag.null || Value.acceptsNull
      else { return nil }
      var run = MappingRun(document, ItemMapper())
      return Value.read(run.place(place), in: &run)
    }
  }

  /// Returns the value at a path, or a default if it is missing, `null`, or can't be read.
  public func value<Value: JSONValue>(
    at path: JSONPath, default other: @autoclosure () -> Value
  ) -> Value {
    value(Value.self, at: path) ?? other()
  }
}

extension JSONDocument {
  /// Creates a document with this value.
  public convenience init(_ value: JSONAny) throws(JSONError) { try self.init(value.utf8()) }
}
