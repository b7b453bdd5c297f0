/// How the rows of a list become the rows of a screen.
///
/// Only ``row`` is needed. The closures give rows of one type, for which an enum is a good choice where
/// they differ. Each is called when what it is given is new or has changed, and for nothing else; so it
/// should depend on nothing else.
public struct RowPlan<Item, Row> {
  /// Makes the row of an item.
  public var row: (Item) -> Row
  /// Which items have a row. Rows of pages that were given up are always there, since nobody can tell
  /// what they are.
  public var filter: ((Item) -> Bool)?
  /// Makes what stands between the rows of two items, `nil` for nothing. It belongs to the lower one,
  /// and is asked for neighbours that are shown, whichever pages they came in. Beside a row of a page
  /// that was given up nothing stands.
  public var separator: ((_ above: Item, _ below: Item) -> Row?)?
  /// Makes the row above all others, `nil` for none.
  public var header: ((ListStanding) -> Row?)?
  /// Makes the row below all others, `nil` for none.
  public var footer: ((ListStanding) -> Row?)?

  /// A plan with a row for each item, and nothing else.
  public init(row: @escaping (Item) -> Row) { self.row = row }
}

extension RowPlan where Item == Row {
  /// A plan whose rows are the items.
  public init() { self.init { $0 } }
}

/// Where a list stands, for rows at its ends.
public struct ListStanding: Hashable, Sendable {
  /// How many rows are shown, without separators, header and footer.
  public var count = 0
  /// Whether a first page has ever come.
  public var hasLoaded = false
  /// Where first load, refresh and jump stand.
  public var refreshState = LoadState.idle
  /// Where the loads of the page before the first one stand.
  public var previousState = LoadState.idle
  /// Where the loads of the page behind the last one stand.
  public var nextState = LoadState.idle

  /// A list that never loaded.
  public init() {}
}

extension ListStanding {
  @MainActor init(of model: some PagedList) {
    hasLoaded = model.hasLoaded
    refreshState = model.refreshState
    previousState = model.state(of: .previous)
    nextState = model.state(of: .next)
  }
}
