/// A column of rows that are shown as a table.
package struct TableColumn: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case text
    /// A number or a date, which is misleading if it is cut.
    case number, date
  }

  package var name: String
  package var kind: Kind

  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// The columns of rows, the title first.
package struct RowTable<Item> {
  let columns: [TableColumn]
  /// Returns the text of each column.
  let cells: (Item) -> [String]

  package init(_ columns: [TableColumn], cells: @escaping (Item) -> [String]) {
    self.columns = columns
    self.cells = cells
  }
}
