/// Where a row is: which section, and which row of it.
public struct RowPosition: Hashable, Sendable, Comparable {
  /// The number of the section.
  public var section: Int
  /// The number of the row in its section.
  public var row: Int

  /// Makes a position.
  public init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }

  /// Positions compare as a reader comes by them.
  public static func < (a: RowPosition, b: RowPosition) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }
}

extension RowPosition: CustomStringConvertible {
  /// Section and row, such as `0/7`.
  public var description: String { "\(section)/\(row)" }
}
