/// Names a kind of cells: a class of a table view, a template of a page, a way to draw a line.
///
/// ```swift
/// extension CellKind { static let photo: CellKind = "photo" }
/// ```
public struct CellKind: RawRepresentable, Hashable, Sendable {
  /// The name.
  public var rawValue: String

  /// A kind with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// What items are shown by that nobody says anything of.
  public static let standard: CellKind = "standard"
}

extension CellKind: ExpressibleByStringLiteral {
  /// A kind with that name.
  public init(stringLiteral value: String) { rawValue = value }
}

extension CellKind: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
