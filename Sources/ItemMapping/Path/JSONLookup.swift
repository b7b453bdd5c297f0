/// What a path led to.
public enum JSONLookup: Sendable {
  /// The value at the path's end.
  case found(JSONView)
  /// There is no such value.
  case stopped(JSONStop)

  /// The value, where there is one.
  public var view: JSONView? {
    if case .found(let view) = self { view } else { nil }
  }
}
