extension JSONAny: JSONValue {
  /// Whatever is there.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> JSONAny? {
    JSONAny(run.view(place))
  }

  /// The value itself.
  public func write(as style: JSONAny.Style) -> JSONAny? { self }

  /// `null` is a value too.
  public static var shape: ValueShape { .otherOrNull }
}

extension JSONObject: JSONValue {
  /// Any object.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> JSONObject? {
    run.isObject(place, for: Self.self) ? JSONAny(run.view(place)).object : nil
  }

  /// The object itself.
  public func write(as style: JSONAny.Style) -> JSONAny? { .object(self) }
}

extension JSONView: JSONValue {
  /// Whatever is there, in place.
  public static func read(_ place: MappingRun.Place, in run: inout MappingRun) -> JSONView? {
    run.view(place)
  }

  /// A copy of the value.
  public func write(as style: JSONAny.Style) -> JSONAny? { JSONAny(self, keepingDigits: true) }

  /// `null` is a value too.
  public static var shape: ValueShape { .otherOrNull }
}

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
