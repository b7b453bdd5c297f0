extension JSONAny: JSONValue {
  /// Whatever is there.
  public static func read(_ place: JSONPlace, in run: inout MappingRun) -> JSONAny? {
    JSONAny(run.view(place))
  }

  /// The value itself.
  public func write(as style: JSONStyle) -> JSONAny? { self }

  /// `null` is a value too.
  public static var shape: ValueShape { .otherOrNull }
}

extension JSONObject: JSONValue {
  /// Any object.
  public static func read(_ place: JSONPlace, in run: inout MappingRun) -> JSONObject? {
    run.isObject(place, for: Self.self) ? JSONAny(run.view(place)).object : nil
  }

  /// The object itself.
  public func write(as style: JSONStyle) -> JSONAny? { .object(self) }
}
