/// Says that somebody gave what is not a height; the next one who knows was asked instead.
public struct HeightRefusal: Hashable, Sendable, CustomStringConvertible {
  /// Who knows heights, the first of them before the others.
  public enum Source: String, Hashable, Sendable {
    /// The closure of the whole list.
    case provider
    /// The item itself.
    case item
    /// The rules of its kind.
    case kind
  }

  /// Who gave it.
  public var source: Source
  /// The kind of the row.
  public var kind: CellKind
  /// What was given, such as `nan`.
  public var value: String

  /// What was given, by whom, and what a height is.
  public var description: String {
    "the \(source.rawValue) of a row of kind “\(kind)” gave \(value) as its height: "
      + "a height is a number from 0 on, and nil leaves it to others"
  }

  /// Whether both tell of the same mistake.
  func isLike(_ other: HeightRefusal) -> Bool { source == other.source && kind == other.kind }
}
