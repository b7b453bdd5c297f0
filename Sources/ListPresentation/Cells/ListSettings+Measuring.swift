public import ListModel

extension ListSettings {
  /// Has the rows of each page measured when it is read, off the main actor, so that the view finds the
  /// heights ready. Set a ``filter`` before; rows that it leaves out are not measured.
  ///
  /// A row that comes again is measured again when its item says another ``CellItem/rowVersion``, or when
  /// the list finds it changed.
  public mutating func measure(with heights: CellHeights<Item>) {
    let filter = filter
    self.filter = { item in
      guard filter?(item) ?? true else { return false }
      _ = heights.height(of: item)
      return true
    }
  }
}
