#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// A table or collection view as the view of a list.
  ///
  /// What both do in the same way is here: they attach, apply changes, and report what happens to their rows. An
  /// adapter has what UIKit calls differently in each.
  @MainActor protocol ListAdapter: ListView {
    var list: any BoundList { get }
    var scrollView: UIScrollView { get }
    var surroundings: ListSurroundings { get }
    var ledger: CellLedger { get set }
    var handMove: HandMove { get set }
    var isDetached: Bool { get set }
    /// Whether the view says of one of its rows that it will be visible.
    var isDisplaying: Bool { get set }
    /// Whether the view is put back to the rows that it showed before a change.
    var isHoldingPosition: Bool { get set }
    /// The rows that the view shows.
    var visiblePaths: [IndexPath] { get }

    func reloadData()
    /// The place of a row in the content.
    func frame(of path: IndexPath) -> CGRect?
    /// Performs the changes of rows in one batch.
    func performUpdates(_ changes: @escaping () -> Void)
    /// Inserts, removes and moves rows and sections.
    func changeRows(_ update: ViewUpdate)
    /// Configures the cells of some rows again, makes those of others again, and reloads sections.
    func reload(kept: [IndexPath], other: [IndexPath], sections: IndexSet)
    /// Puts the footer below the rows, where the view doesn't do so itself.
    func layOutFooter()
  }

  extension ListAdapter {
    /// Whether the list shows its rows here. If not, nothing that happens in the view may reach it.
    var isAttached: Bool { list.view === self }
    var attachedList: (any BoundList)? { isAttached ? list : nil }

    /// Leaves the list, and removes what is shown around the rows.
    func detach() {
      isDetached = true
      hideAll()
      if isAttached { list.detach() }
      surroundings.clear()
    }

    func layOutFooter() {}

    // MARK: - The view of a list

    func replaceAll(commit: @escaping () -> Void) {
      handMove.rowsChanged()
      hideAll()
      commit()
      // UIKit asks for a moved row while it drops it; rows can be reloaded when it has.
      guard !handMove.isDropping else {
        handMove.isReloadDue = true
        return
      }
      handMove.isReloadDue = false
      reloadData()
    }

    func applyMove(_ change: SectionsChange, commit: @escaping () -> Void) {
      // A program may report a move that was not made here.
      guard !handMove.isReloadDue, let dropped = handMove.dropped else {
        return replaceAll(commit: commit)
      }
      handMove.rowsChanged()
      commit()
      ledger.follow(change, dropped)
    }

    /// Reports that the shown rows are hidden, and forgets them: another row may be at each position soon.
    func hideAll() {
      let shown = ledger.shownRows
      ledger.removeAll()
      for position in shown { _ = attachedList?.act(.hide, at: position) }
    }

    func apply(_ change: SectionsChange, commit: @escaping () -> Void) {
      // Without a window nobody sees an animation, and UIKit warns of the layout.
      guard scrollView.window != nil, !handMove.isReloadDue, let update = ViewUpdate(change) else {
        return replaceAll(commit: commit)
      }
      handMove.rowsChanged()
      if update.changesRows {
        holdingPosition(in: change) { [self] in
          performUpdates { [self] in
            commit()
            // An observer of the rows may have detached the view, which is empty then.
            guard !isDetached else { return }
            ledger.follow(change)
            changeRows(update)
          }
        }
      } else {
        commit()
      }
      guard isAttached else { return }
      // The second step: positions are those after the first.
      let (kept, other) = update.cells { [list, ledger] row in
        list.kind(at: row).map { ledger.hasOtherKind(than: $0, at: row) } ?? false
      }
      reload(kept: kept, other: other, sections: update.reloadedSections)
    }

    /// Makes a change of rows. Rows that are visible stay where they are if others are inserted or removed above them,
    /// unless the view is at its top: new rows are shown there, but not those of a previous page.
    private func holdingPosition(in change: SectionsChange, _ body: () -> Void) {
      let isAtTop = scrollView.contentOffset.y < 1 - scrollView.adjustedContentInset.top
      guard !isDisplaying, !isAtTop || list.isLoadingPrevious || list.isLoadingAboveLastRows,
        let (old, new) = anchor(in: change),
        let before = frame(of: old)?.minY
      else { return body() }
      UIView.performWithoutAnimation {
        isHoldingPosition = true
        body()
        scrollView.layoutIfNeeded()
        if isAttached, let after = frame(of: new)?.minY {
          scrollView.contentOffset.y += after - before
        }
        isHoldingPosition = false
      }
    }

    /// Returns the positions before and after a change of the first visible row that stays, if they differ; of the last one
    /// while a gap above it is filled.
    private func anchor(in change: SectionsChange) -> (IndexPath, IndexPath)? {
      let paths = visiblePaths.sorted()
      for path in list.isLoadingAboveLastRows ? paths.reversed() : paths {
        guard let place = change.place(of: RowPosition(path)) else { continue }
        return place == RowPosition(path) ? nil : (path, IndexPath(place))
      }
      return nil
    }

    func show(_ header: RefreshHeader.State) { surroundings.show(header) }
    func show(_ footer: FooterState) { surroundings.show(footer) }
    func show(_ placeholder: Placeholder?) { surroundings.show(placeholder) }
    func showRefreshFailure(_ error: LoadError?) { surroundings.showRefreshFailure(error) }
    func showNewRows(_ newRows: NewRows?) { surroundings.showNewRows(newRows) }
    func beginRefreshing() { surroundings.beginRefreshing() }
    func endRefreshing(_ outcome: LoadToken.Outcome) { surroundings.endRefreshing() }

    var visibleRows: (rows: ClosedRange<RowPosition>?, fillsView: Bool)? {
      guard scrollView.window != nil, !isDisplaying else { return nil }
      scrollView.layoutIfNeeded()
      layOutFooter()
      surroundings.layOut()
      return surroundings.visible(visiblePaths.map(RowPosition.init))
    }

    /// Draws the visible rows that have the picture at an address.
    func arrived(_ address: String) {
      surroundings.arrived(address)
      guard isAttached, !handMove.isReloadDue, !isDisplaying else { return }
      let rows = visiblePaths.filter { list.rowContent(at: RowPosition($0)).shows(address) }
      reload(kept: rows, other: [], sections: IndexSet())
    }

    // MARK: - What the view reports

    func didLayOut() {
      layOutFooter()
      surroundings.layOut()
      reportVisibleRows()
    }

    func didScroll() {
      layOutFooter()
      surroundings.didScroll()
      reportVisibleRows()
    }

    private func reportVisibleRows() {
      guard !isHoldingPosition else { return }
      // UIKit doesn't allow to ask for the visible cells while it makes them.
      let rows = isDisplaying ? ledger.shownRows : visiblePaths.map(RowPosition.init)
      let visible = surroundings.visible(rows)
      attachedList?.rowsWillAppear(visible.rows, fillsView: visible.fillsView)
    }

    func willDisplay(_ cell: UIView, at path: IndexPath) {
      isDisplaying = true
      defer { isDisplaying = false }
      let position = RowPosition(path)
      if ledger.show(cell, at: position) { _ = attachedList?.act(.show, at: position) }
      layOutFooter()
      surroundings.top.raise()
      reportVisibleRows()
    }

    func didEndDisplaying(_ cell: UIView) {
      if let position = ledger.end(cell) { _ = attachedList?.act(.hide, at: position) }
    }

    func move(from old: RowPosition, to new: RowPosition) {
      guard let attachedList else { return }
      handMove.isDropping = true
      // If the rows changed under the finger, another row may be there now.
      if handMove.drop(from: old, to: new) {
        _ = attachedList.move(from: old, to: new)
      } else {
        replaceAll {}
      }
      handMove.isDropping = false
      guard handMove.isReloadDue else { return }
      Task { [weak self] in
        guard let self, handMove.isReloadDue else { return }
        handMove.isReloadDue = false
        reloadData()
      }
    }

    /// Returns the swipe actions of a row. With `deletes`, a row that can be deleted and has none at its trailing
    /// edge gets an action for that.
    func swipeActions(
      at position: RowPosition, on edge: RowAction.Swipe.Edge, deletes: Bool = false
    ) -> UISwipeActionsConfiguration? {
      guard let attachedList else { return nil }
      ledger.swipe(position, on: edge)
      var actions = attachedList.swipeActions(at: position, on: edge)
      let deletes =
        deletes && edge == .trailing && actions.isEmpty
        && attachedList.editing(at: position) == .delete
      if deletes {
        actions = [
          RowAction.Swipe("delete", title: attachedList.texts.delete, isDestructive: true)
        ]
      }
      return UISwipeActionsConfiguration(actions, picture: surroundings.picture) { [weak self] id in
        guard let self, let list = self.attachedList, let row = ledger.swipedRow(on: edge) else {
          return false
        }
        return deletes
          ? list.act(.delete, at: row).isHandled : list.act(.swipe(id), at: row).isHandled
      }
    }
  }
#endif
