/// What a controller shows around the rows, and in their place.
struct ShownState: Equatable {
  var header = HeaderState.hidden
  var footer = FooterState.hidden
  var placeholder: Placeholder?
  /// Whether the view was told that a refresh began, and not yet that it ended.
  var isRefreshing = false
}

/// Counts the rows that the filter of a list left out, since the list was made anew.
struct FilteredRows {
  private(set) var count = 0
  private var underWay = 0

  /// A load that makes the list anew began.
  mutating func begin() { underWay = 0 }

  /// A page came of which so many rows were left out.
  mutating func add(_ rows: Int, makesAnew: Bool) {
    if makesAnew { underWay += rows } else { count += rows }
  }

  /// The list was made anew.
  mutating func finish() { count = underWay }
}
