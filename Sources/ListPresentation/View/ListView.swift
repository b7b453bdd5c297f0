/// Shows the rows of a ``ListController``, by whatever a toolkit has for that.
///
/// This is all a controller wants of a view; whoever binds another toolkit, or another refresh control,
/// writes these methods and changes nothing else.
///
/// **Rows.** A view reads them from ``ListController/sections``. They become others in the moment it
/// calls `commit`, which it does once, where its toolkit wants the new rows to appear:
///
/// - `UITableView`: call `commit` inside `performBatchUpdates`, then `deleteSections`, `deleteRows`
///   (positions before), `insertSections`, `insertRows`, `moveSection` and `moveRow` (positions after).
///   Reconfigure updated rows, and sections with other titles, in a second step, since their positions
///   are those after. Where a section moved and its rows changed, reload all.
/// - `UICollectionView`: the same, with items.
/// - SwiftUI: call `commit` inside `withAnimation` and do nothing else, or attach no view at all:
///   ``ListController/sections``, ``ListController/placeholder``, ``ListController/header`` and
///   ``ListController/footer`` are observed.
/// - A terminal, or any view that draws everything anew: call `commit`, then draw.
///
/// A view that does not call `commit` has the new rows when the method has returned; a call after that
/// does nothing.
///
/// **Scrolling.** The view tells the controller of rows in sight (``ListController/rowsWillAppear(_:)``), also
/// after it has laid out new ones, and of pulls (``ListController/didPullDown(_:)``, ``ListController/didPullUp(_:)``,
/// ``ListController/didRelease()``), for which a ``ScrollGeometry`` makes distances of offsets.
///
/// **Controls.** Header, footer and placeholder are told whenever they change, and when the view is
/// attached. Each ``beginRefreshing()`` has one ``endRefreshing(_:)``.
///
/// A controller holds its view weakly.
@MainActor public protocol ListView: AnyObject {
  /// Rows changed exactly like that.
  func apply(_ change: SectionsChange, commit: @escaping () -> Void)
  /// All rows are others.
  func replaceAll(commit: @escaping () -> Void)
  /// Something else stands above the rows.
  func show(_ header: HeaderState)
  /// Something else stands below the rows.
  func show(_ footer: FooterState)
  /// Something else stands in the place of rows; `nil` for the rows.
  func show(_ placeholder: Placeholder?)
  /// A refresh shows itself: keep the header open.
  func beginRefreshing()
  /// It is over: let the header go.
  func endRefreshing(_ outcome: RefreshOutcome)
  /// Bring a row into sight.
  func scroll(to position: RowPosition)
  /// Take the mark of a selected row away.
  func deselect(_ position: RowPosition)
  /// Measure rows again.
  func heightsChanged()
  /// The rows in sight, where the view knows them as soon as it has new ones; `nil` where it tells later.
  var visibleRows: VisibleRows? { get }
}

/// The rows in sight.
public struct VisibleRows: Hashable, Sendable {
  /// The first and the last one; `nil` where there is none.
  public var rows: ClosedRange<RowPosition>?
  /// Whether rows fill the view.
  public var fillsView: Bool

  /// Makes a value.
  public init(_ rows: ClosedRange<RowPosition>?, fillsView: Bool) {
    self.rows = rows
    self.fillsView = fillsView
  }
}

extension ListView {
  /// Commits, and replaces all rows.
  public func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
    replaceAll(commit: commit)
  }
  /// Does nothing.
  public func show(_ header: HeaderState) {}
  /// Does nothing.
  public func show(_ footer: FooterState) {}
  /// Does nothing.
  public func show(_ placeholder: Placeholder?) {}
  /// Does nothing.
  public func beginRefreshing() {}
  /// Does nothing.
  public func endRefreshing(_ outcome: RefreshOutcome) {}
  /// Does nothing.
  public func scroll(to position: RowPosition) {}
  /// Does nothing.
  public func deselect(_ position: RowPosition) {}
  /// Does nothing.
  public func heightsChanged() {}
  /// Tells later.
  public var visibleRows: VisibleRows? { nil }
}
