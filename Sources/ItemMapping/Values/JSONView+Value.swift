extension JSONView {
  /// The value at a path, by the same rules as a property gets its value: converted where it stands
  /// for the same, `nil` where it is missing, `null`, or can't be read.
  ///
  /// - Parameters:
  ///   - type: The type to read, such as `Bool.self`.
  ///   - path: Where it is, seen from here.
  public func value<Value: JSONValue>(
    _ type: Value.Type = Value.self, at path: JSONPath = .root
  ) -> Value? {
    read { tape in
      guard let place = tape.find(path.steps, from: index),
        tape.tag(place) != JSONTape.Tag.null || Value.shape.takesNull
      else { return nil }
      var run = MappingRun(document, ItemMapper())
      return Value.read(run.place(place), in: &run)
    }
  }

  /// The value at a path, or another one where it is missing, `null`, or can't be read.
  public func value<Value: JSONValue>(
    at path: JSONPath, default other: @autoclosure () -> Value
  ) -> Value {
    value(Value.self, at: path) ?? other()
  }
}

extension JSONDocument {
  /// A document that holds this value.
  public convenience init(_ value: JSONAny) throws(JSONError) { try self.init(value.utf8()) }
}
