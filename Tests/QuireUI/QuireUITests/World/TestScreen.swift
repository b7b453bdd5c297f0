import Foundation
import Quire

/// A list on a screen, as a user and a test see it.
@MainActor protocol TestScreen: AnyObject {
  var world: ListWorld { get }
  /// Whether the view is attached to the list.
  var isAttached: Bool { get }

  /// Checks that the view shows the rows of the controller; returns what differs.
  func difference() -> String?
  /// The cell of a row, if it is visible and cells can be told apart.
  func cell(at position: RowPosition) -> AnyObject?
  /// The text of the first visible row.
  var firstVisibleText: String? { get }
  func appear()
  func disappear()
  func attach()
  func detach()
  func resize(to width: Double)
  func scroll(to part: Double)
  func pull() async
  func tapFooter()
  var footerText: String? { get }
  func tapPlaceholder()
  /// The text above the rows after a refresh failed.
  var failureText: String? { get }
  func tapFailure()
  /// The text over the first visible rows if others are new above the list.
  var newRowsText: String? { get }
  func tapNewRows()
  func delete(_ position: RowPosition)
  /// Picks a row up, holds it over a position, and does something else before it is dropped.
  func move(_ from: RowPosition, to: RowPosition, meanwhile: () async -> Void) async
  func swipe(_ position: RowPosition)
  /// Lets the view go and makes another one for the same list.
  func renew()
}
