public import ListModel

extension ListSettings {
  /// Has the rows of each page measured when it is read, off the main actor, so that the view finds the
  /// heights ready. Set a ``filter`` before; rows that it leaves out are not measured.
  ///
  /// A row that comes again is measured with its page when its item says another
  /// ``CellItem/rowVersion``. One that has none is measured when the view asks, after the list found it
  /// changed.
  public mutating func measure(with heights: CellHeights<Item>) {
    let filter = filter
    self.filter = { item in
      guard filter?(item) ?? true else { return false }
      _ = heights.height(of: item)
      return true
    }
  }
}
