#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  /// What a collection view asks and reports about its items.
  extension CollectionAdapter {
    func cell(at path: IndexPath) -> UICollectionViewCell {
      let position = RowPosition(path)
      let kind = list.kind(at: position) ?? .standard
      let cell = cell?(kind, path) ?? registeredCell(kind, path)
      ledger.gave(cell, for: position, kind)
      guard !list.configure(cell, at: position), configure?(cell, position) != true else {
        return cell
      }
      surroundings.draw(list.rowContent(at: position), in: cell)
      return cell
    }

    private func registeredCell(_ kind: CellKind, _ path: IndexPath) -> UICollectionViewCell {
      if registered.insert(kind).inserted {
        collectionView.register(
          UICollectionViewListCell.self, forCellWithReuseIdentifier: kind.rawValue)
      }
      return collectionView.dequeueReusableCell(withReuseIdentifier: kind.rawValue, for: path)
    }

    func supplementaryView(_ kind: String, at path: IndexPath) -> UICollectionReusableView {
      if let view = supplementaryView?(kind, path) { return view }
      guard let part = [SectionPart.header, .footer].first(where: { $0.elementKind == kind }) else {
        return emptyView(kind, path)
      }
      let view = collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: SectionTitleView.identifier, for: path)
      (view as? SectionTitleView)?.show(
        list.title(part, of: path.section).text, part,
        surroundings.drawing.sectionView(part, path.section))
      return view
    }

    // MARK: - Sizes in a flow layout

    func size(at position: RowPosition, in layout: UICollectionViewLayout) -> CGSize {
      if let size { return size(position, collectionView) }
      let flow = layout as? UICollectionViewFlowLayout
      // The program has set a size: 50 is the one of a new layout.
      if let set = flow?.itemSize, set != CGSize(width: 50, height: 50) { return set }
      let insets = collectionView.adjustedContentInset
      let section = flow?.sectionInset ?? .zero
      let width = max(
        0, collectionView.bounds.width - insets.left - insets.right - section.left - section.right)
      // The list measures for the width of the attached view.
      let given = attachedList?.height(at: position, width: width).map { CGFloat($0) }
      return CGSize(width: width, height: given ?? usualHeight(at: position))
    }

    /// The height of a row without one of its own. A flow layout asks before there is a cell that could be measured.
    private func usualHeight(at position: RowPosition) -> CGFloat {
      let lines = attachedList?.rowContent(at: position).subtitle == nil ? 44.0 : 60.0
      return UIFontMetrics.default.scaledValue(for: lines)
    }

    func titleSize(_ part: SectionPart, of section: Int) -> CGSize {
      CGSize(
        width: collectionView.bounds.width,
        height: list.title(part, of: section).height ?? 32)
    }
  }
#endif
