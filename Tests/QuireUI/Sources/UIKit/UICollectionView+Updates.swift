public import Foundation

extension UICollectionView {
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

  public func deleteSections(_ sections: IndexSet) {
    change { $0.deletedSections.formUnion(sections) }
  }

  public func insertSections(_ sections: IndexSet) {
    change { $0.insertedSections.formUnion(sections) }
  }

  public func moveSection(_ section: Int, toSection newSection: Int) {
    change { $0.movedSections.append((section, newSection)) }
  }

  public func deleteItems(at indexPaths: [IndexPath]) {
    change { $0.deletedRows += indexPaths }
  }

  public func insertItems(at indexPaths: [IndexPath]) {
    change { $0.insertedRows += indexPaths }
  }

  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    change { $0.movedRows.append((indexPath, newIndexPath)) }
  }

  public func reloadSections(_ sections: IndexSet) {
    count()
    let new = counts()
    for section in sections {
      counted.reloadSection(section, new.indices.contains(section) ? new[section] : 0)
    }
    movePaths()
    setNeedsLayout()
    if window != nil { layoutIfNeeded() }
  }

  public func reloadItems(at indexPaths: [IndexPath]) {
    performBatchUpdates {
      self.deleteItems(at: indexPaths)
      self.insertItems(at: indexPaths)
    }
  }

  private func movePaths() {
    var shown: [Int: IndexPath] = [:]
    for (section, all) in counted.sections.enumerated() {
      for (item, number) in all.rows.enumerated() {
        shown[number] = IndexPath(item: item, section: section)
      }
    }
    for (cell, path) in cells.remove(except: Set(shown.keys)) { end(cell, path) }
    for number in Array(cells.shown.keys) {
      if let path = shown[number] { cells.shown[number]?.path = path }
    }
  }

  public func scrollToItem(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) {
    count()
    guard counted.contains(indexPath) else {
      fatalError("NSRangeException: attempt to scroll to \(indexPath), which does not exist")
    }
    layoutIfNeeded()
    var y: CGFloat = 0
    for section in 0...indexPath.section {
      let end = section == indexPath.section ? indexPath.item : counted.counts[section]
      for item in 0..<end {
        y += collectionViewLayout.height(of: IndexPath(item: item, section: section))
      }
    }
    contentOffset = CGPoint(x: 0, y: max(0, min(y, contentSize.height - frame.height)))
    layoutIfNeeded()
  }

  public func deselectItem(at indexPath: IndexPath, animated: Bool) {
    cellForItem(at: indexPath)?.isSelected = false
  }
}

/// What a user does to items.
extension UICollectionView {
  /// The number of items in each section, as the view has counted them.
  public var shownCounts: [Int] {
    count()
    return counted.counts
  }

  /// Taps an item.
  public func tap(_ path: IndexPath) {
    cellForItem(at: path)?.isSelected = true
    items?.collectionView(self, didSelectItemAt: path)
  }

  /// Starts to drag an item; returns whether it can be moved.
  public func beginDrag(_ path: IndexPath) -> Bool {
    guard window != nil, dataSource?.collectionView(self, canMoveItemAt: path) == true else { return false }
    drag = (path, path)
    return true
  }

  /// Holds the dragged item over a position.
  public func drag(over path: IndexPath) {
    guard let from = drag?.from else { return }
    drag?.to =
      items?.collectionView(
        self, targetIndexPathForMoveOfItemFromOriginalIndexPath: from, atCurrentIndexPath: from,
        toProposedIndexPath: path) ?? path
  }

  /// Drops the dragged item.
  public func drop() {
    guard let drag else { return }
    self.drag = nil
    guard drag.from != drag.to else { return }
    if counted.contains(drag.from), counted.sections.indices.contains(drag.to.section),
      drag.to.item
        <= counted.sections[drag.to.section].rows.count
        - (drag.from.section == drag.to.section ? 1 : 0)
    {
      counted.moveByHand(drag.from, drag.to)
      movePaths()
      setNeedsLayout()
    }
    isDropping = true
    dataSource?.collectionView(self, moveItemAt: drag.from, to: drag.to)
    isDropping = false
  }
}
