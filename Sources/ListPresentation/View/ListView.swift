public import ListModel
public import ListReading

/// Shows the rows of a ``ListController`` with the means of a UI toolkit.
///
/// This is all a controller needs of a view. To bind another toolkit or another refresh control, implement
/// these methods.
///
/// **Rows.** A view reads them from ``ListController/sections``. They change at the moment it calls `commit`,
/// which it does once, when its toolkit expects the new rows:
///
/// - `UITableView`: call `commit` inside `performBatchUpdates`, then `deleteSections`, `deleteRows`
///   (positions before), `insertSections`, `insertRows`, `moveSection` and `moveRow` (positions after).
///   Reconfigure updated rows, and sections with changed titles, in a second step, because their positions
///   are those after the change. If a section moved and its rows changed, reload all.
/// - `UICollectionView`: the same, with items.
/// - SwiftUI: call `commit` inside `withAnimation` and do nothing else, or attach no view at all:
///   ``ListController/sections``, ``ListController/placeholder``, ``ListController/header`` and
///   ``ListController/footer`` are observable.
/// - A terminal, or any view that redraws everything: call `commit`, then draw.
///
/// If a view doesn't call `commit`, the rows change when the method returns; a later call does nothing.
///
/// **Scrolling.** The view reports the visible rows (``ListController/rowsWillAppear(_:fillsView:)``), also after
/// layout of new ones, and pulls (``ListController/didPullDown(_:)``, ``ListController/didPullUp(_:)``,
/// ``ListController/didRelease()``). ``ListController/didScroll(offset:viewport:content:)`` computes the distances
/// from a scroll offset.
///
/// **Controls.** The view gets header, footer and placeholder when they change and when it is attached. Each
/// ``beginRefreshing()`` is followed by one ``endRefreshing(_:)``.
///
/// A controller holds its view weakly.
@MainActor public protocol ListView: AnyObject {
  /// Applies an exact change to the rows.
  func apply(_ change: SectionsChange, commit: @escaping () -> Void)
  /// Applies a move that the user has made in the view, which shows the row at its new place already: only `commit`
  /// is missing.
  func applyMove(_ change: SectionsChange, commit: @escaping () -> Void)
  /// Replaces all rows.
  func replaceAll(commit: @escaping () -> Void)
  /// Shows the control above the rows.
  func show(_ header: RefreshHeader.State)
  /// Shows the control below the rows.
  func show(_ footer: FooterState)
  /// Shows a placeholder instead of rows, or the rows if it is `nil`.
  func show(_ placeholder: Placeholder?)
  /// Shows that a refresh runs, and keeps the header open.
  func beginRefreshing()
  /// Closes the header after a refresh.
  func endRefreshing(_ outcome: LoadToken.Outcome)
  /// Shows above the rows that the last refresh failed; `nil` if it didn't.
  func showRefreshFailure(_ error: LoadError?)
  /// Shows above the rows how many rows are new; `nil` if none are known. A tap calls
  /// ``ListController/showNewRows()``. The rows stay where they are.
  func showNewRows(_ newRows: NewRows?)
  /// Scrolls to a row.
  func scroll(to position: RowPosition)
  /// Deselects a row.
  func deselect(_ position: RowPosition)
  /// Measures rows again.
  func heightsChanged()
  /// The first and the last visible row, `nil` without one, and whether the rows fill the view. The whole value is
  /// `nil` if the view doesn't know that as soon as it has new rows, but reports it later.
  var visibleRows: (rows: ClosedRange<RowPosition>?, fillsView: Bool)? { get }
}

extension ListView {
  /// Replaces all rows.
  public func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
    replaceAll(commit: commit)
  }
  /// Replaces all rows.
  public func applyMove(_ change: SectionsChange, commit: @escaping () -> Void) {
    replaceAll(commit: commit)
  }
  /// Does nothing.
  public func show(_ header: RefreshHeader.State) {}
  /// Does nothing.
  public func show(_ footer: FooterState) {}
  /// Does nothing.
  public func show(_ placeholder: Placeholder?) {}
  /// Does nothing.
  public func beginRefreshing() {}
  /// Does nothing.
  public func endRefreshing(_ outcome: LoadToken.Outcome) {}
  /// Does nothing.
  public func showRefreshFailure(_ error: LoadError?) {}
  /// Does nothing.
  public func showNewRows(_ newRows: NewRows?) {}
  /// Does nothing.
  public func scroll(to position: RowPosition) {}
  /// Does nothing.
  public func deselect(_ position: RowPosition) {}
  /// Does nothing.
  public func heightsChanged() {}
  /// Returns `nil`: the view reports them later.
  public var visibleRows: (rows: ClosedRange<RowPosition>?, fillsView: Bool)? { nil }
}
