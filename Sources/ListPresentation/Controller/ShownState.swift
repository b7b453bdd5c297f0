/// What a controller shows around the rows, and in their place.
struct ShownState: Equatable {
  var header = HeaderState.hidden
  var footer = FooterState.hidden
  var placeholder: Placeholder?
  /// Whether the view was told that a refresh began, and not yet that it ended.
  var isRefreshing = false
}
