/// How a list becomes rows, and what its controls do. Every property has a default.
public struct ListControllerSettings<Item> {
  /// The section of an item; without it there is one section, without titles.
  ///
  /// A new section begins where an item belongs to another one than the item above, so the order of the
  /// list is kept. A section that comes up again further down is a section of its own.
  public var section: ((Item) -> SectionLabel)?
  /// Which items are shown. Rows that are not in memory always are.
  public var filter: ((Item) -> Bool)?
  /// Whether the server was asked for some items only, so that no rows means that nothing matches.
  public var isFiltered = false
  /// What a row says; `nil` leaves it to the item and to its kind.
  public var content: ((Item) -> RowContent?)?
  /// What stands in the place of rows.
  public var placeholders = PlaceholderPlan()
  /// What refreshes the list and loads further pages.
  public var refresh = RefreshOptions()
  /// Refreshes in a way of its own, and ends the token when that is done; without it the list is
  /// refreshed.
  public var refreshHandler: ((RefreshToken) -> Void)?
  /// Whether the mark of a row goes when it was selected, whoever dealt with that, or nobody.
  public var deselectsAfterSelection = true
  /// Whether the view gets all rows anew with each change, instead of the exact change.
  public var replacesRows = false

  /// The defaults.
  public init() {}
}
