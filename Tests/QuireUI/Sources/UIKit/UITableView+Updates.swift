public import Foundation

extension UITableView {
  // As in UIKit, a closure that may be absent is an escaping one.
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    guard update == nil else {
      updates?()
      return
    }
    count()
    batches += 1
    update = BatchUpdate()
    updates?()
    if let update { counted.apply(update, counts()) }
    update = nil
    heights = [:]
    movePaths()
    setNeedsLayout()
    if window != nil { layoutIfNeeded() }
    completion?(true)
  }

  private func change(_ body: @escaping (inout BatchUpdate) -> Void) {
    guard var batch = update else { return performBatchUpdates { self.change(body) } }
    body(&batch)
    update = batch
  }

  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    change { $0.deletedSections.formUnion(sections) }
  }

  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    change { $0.insertedSections.formUnion(sections) }
  }

  public func moveSection(_ section: Int, toSection newSection: Int) {
    change { $0.movedSections.append((section, newSection)) }
  }

  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    change { $0.deletedRows += indexPaths }
  }

  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    change { $0.insertedRows += indexPaths }
  }

  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    change { $0.movedRows.append((indexPath, newIndexPath)) }
  }

  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    count()
    let new = counts()
    for section in sections {
      counted.reloadSection(section, new.indices.contains(section) ? new[section] : 0)
    }
    movePaths()
    setNeedsLayout()
    if window != nil { layoutIfNeeded() }
  }

  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    performBatchUpdates {
      self.deleteRows(at: indexPaths, with: animation)
      self.insertRows(at: indexPaths, with: animation)
    }
  }

  /// Gives the shown cells the new positions of their rows.
  private func movePaths() {
    var shown: [Int: IndexPath] = [:]
    for (section, all) in counted.sections.enumerated() {
      for (row, number) in all.rows.enumerated() {
        shown[number] = IndexPath(row: row, section: section)
      }
    }
    for (cell, path) in cells.remove(except: Set(shown.keys)) { end(cell, path) }
    for number in Array(cells.shown.keys) {
      if let path = shown[number] { cells.shown[number]?.path = path }
    }
  }

  public func scrollToRow(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) {
    count()
    guard counted.contains(indexPath) else {
      fatalError("NSRangeException: attempt to scroll to \(indexPath), which does not exist")
    }
    layoutIfNeeded()
    var y: CGFloat = 0
    for section in 0..<indexPath.section {
      for row in counted.sections[section].rows.indices {
        y += rows?.tableView(self, heightForRowAt: IndexPath(row: row, section: section)) ?? 44
      }
    }
    for row in 0..<indexPath.row {
      y +=
        rows?.tableView(
          self, heightForRowAt: IndexPath(row: row, section: indexPath.section)) ?? 44
    }
    contentOffset = CGPoint(x: 0, y: max(0, min(y, contentSize.height - frame.height)))
    layoutIfNeeded()
  }

  public func deselectRow(at indexPath: IndexPath, animated: Bool) {
    cellForRow(at: indexPath)?.isSelected = false
  }
}

/// A row that a finger drags.
struct UITableViewDrag {
  let from: IndexPath
  var to: IndexPath
}

/// What a user does to rows.
extension UITableView {
  /// The number of rows in each section, as the table has counted them.
  public var shownCounts: [Int] {
    count()
    return counted.counts
  }

  /// Taps a row.
  public func tap(_ path: IndexPath) {
    cellForRow(at: path)?.isSelected = true
    rows?.tableView(self, didSelectRowAt: path)
  }

  /// Confirms what the table offers for a row in editing mode.
  public func confirmEditing(_ path: IndexPath) {
    guard dataSource?.tableView(self, canEditRowAt: path) == true,
      let style = rows?.tableView(self, editingStyleForRowAt: path), style != .none
    else { return }
    dataSource?.tableView(self, commit: style, forRowAt: path)
  }

  /// Starts to drag a row; returns whether it can be moved.
  public func beginDrag(_ path: IndexPath) -> Bool {
    guard window != nil, dataSource?.tableView(self, canMoveRowAt: path) == true else { return false }
    drag = UITableViewDrag(from: path, to: path)
    return true
  }

  /// Holds the dragged row over a position.
  public func drag(over path: IndexPath) {
    guard let from = drag?.from else { return }
    drag?.to =
      rows?.tableView(self, targetIndexPathForMoveFromRowAt: from, toProposedIndexPath: path)
      ?? path
  }

  /// Drops the dragged row.
  public func drop() {
    guard let drag else { return }
    self.drag = nil
    guard drag.from != drag.to else { return }
    // The row is shown at its new place before the data source moves it.
    if counted.contains(drag.from), counted.sections.indices.contains(drag.to.section),
      drag.to.row
        <= counted.sections[drag.to.section].rows.count
        - (drag.from.section == drag.to.section ? 1 : 0)
    {
      counted.moveByHand(drag.from, drag.to)
      movePaths()
      setNeedsLayout()
    }
    isDropping = true
    dataSource?.tableView(self, moveRowAt: drag.from, to: drag.to)
    isDropping = false
  }

  /// The actions that a swipe on a row shows.
  public func swipe(_ path: IndexPath, leading: Bool) -> UISwipeActionsConfiguration? {
    guard dataSource?.tableView(self, canEditRowAt: path) == true,
      let style = rows?.tableView(self, editingStyleForRowAt: path), style != .none
    else { return nil }
    guard !leading else { return rows?.tableView(self, leadingSwipeActionsConfigurationForRowAt: path) }
    if let made = rows?.tableView(self, trailingSwipeActionsConfigurationForRowAt: path) { return made }
    // The action that UIKit has for a row that can be deleted.
    guard style == .delete else { return nil }
    let delete = UIContextualAction(style: .destructive, title: "Delete") { [weak self] _, _, done in
      guard let self else { return }
      dataSource?.tableView(self, commit: .delete, forRowAt: path)
      done(true)
    }
    return UISwipeActionsConfiguration(actions: [delete])
  }
}
