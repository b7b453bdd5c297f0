extension JSONView: JSONValue {
  /// Whatever is there, in place.
  public static func read(_ place: JSONPlace, in run: inout MappingRun) -> JSONView? {
    run.view(place)
  }

  /// A copy of the value.
  public func write(as style: JSONStyle) -> JSONAny? { JSONAny(self, keepingDigits: true) }

  /// `null` is a value too.
  public static var shape: ValueShape { .otherOrNull }
}
