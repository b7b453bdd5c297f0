/// How a list becomes rows, and what its controls do. Every property has a default.
public struct ListControllerSettings<Item> {
  /// Which items are shown, what stands between and around them, and where sections begin.
  public var rows = RowPlan<Item, Item>()
  /// Whether the server was asked for some items only, so that no rows means that nothing matches.
  public var isFiltered = false
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
