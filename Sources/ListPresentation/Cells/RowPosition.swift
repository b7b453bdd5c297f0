/// The position of a row: its section, and its row in that section.
public struct RowPosition: Hashable, Sendable, Comparable {
  /// The number of the section.
  public var section: Int
  /// The number of the row in its section.
  public var row: Int

  /// Creates a position.
  public init(section: Int = 0, row: Int) {
    self.section = section
    self.row = row
  }

  /// Compares positions in reading order.
  public static func < (a: RowPosition, b: RowPosition) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }
}

extension RowPosition: CustomStringConvertible {
  /// Section and row, such as `0/7`.
  public var description: String { "\(section)/\(row)" }
}
