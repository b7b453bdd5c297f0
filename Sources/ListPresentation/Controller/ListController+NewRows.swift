public import ListModel
internal import Observation

/// New rows above the list.
extension ListController {
  /// How many rows are new above the first row of the list; `nil` if none are known. See ``ListModel/newRows``. Rows that
  /// only the screen leaves out (``RowPlan/filter``) count, too.
  public var newRows: NewRows? { state.newRows }

  /// Shows the new rows, by a refresh that keeps the pages further down (``RefreshMode/splice``). Nothing scrolls: rows
  /// in sight stay where they are, and at its top the view shows the new ones.
  public func showNewRows() { refresh(silently: true) }

  /// Handles that the app has left the front. The list isn't probed (``ListSettings/probe``) until it is back.
  public func leftFront() { place.isAppInFront = false }

  /// Handles that the app is back at the front. A probe that is due is made at once.
  public func cameToFront() { place.isAppInFront = true }

  /// Lets the list know whether the screen is in front.
  func notePlace() {
    model?.noteScreen(ObjectIdentifier(self), isInFront: place.isInFront)
  }
}

/// Whether a screen is in front.
struct ScreenPlace: Equatable {
  /// Whether the screen has appeared, and not disappeared since.
  var isShown = false
  /// Whether its app is at the front.
  var isAppInFront = true

  var isInFront: Bool { isShown && isAppInFront }
}
