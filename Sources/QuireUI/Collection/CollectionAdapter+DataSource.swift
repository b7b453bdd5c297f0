#if canImport(UIKit)
  internal import Quire
  internal import UIKit

  extension CollectionAdapter: UICollectionViewDataSource {
    func numberOfSections(in collectionView: UICollectionView) -> Int { list.sectionCount }

    func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { list.rowCount(inSection: section) }

    func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      let position = RowPosition(indexPath)
      let kind = list.kind(at: position) ?? .standard
      let cell = cell?(kind, indexPath) ?? registeredCell(kind, indexPath)
      ledger.gave(cell, for: position, kind)
      guard !list.configure(cell, at: position), configure?(cell, position) != true else {
        return cell
      }
      let shown = list.rowContent(at: position)
      var content =
        (cell as? UICollectionViewListCell)?.defaultContentConfiguration()
        ?? UIListContentConfiguration.cell()
      content.text = shown.title
      content.secondaryText = shown.subtitle
      content.image = shown.image.flatMap(surroundings.drawing.image)
      cell.contentConfiguration = content
      return cell
    }

    private func registeredCell(_ kind: CellKind, _ path: IndexPath) -> UICollectionViewCell {
      if registered.insert(kind).inserted {
        collectionView.register(
          UICollectionViewListCell.self, forCellWithReuseIdentifier: kind.rawValue)
      }
      return collectionView.dequeueReusableCell(withReuseIdentifier: kind.rawValue, for: path)
    }

    func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at indexPath: IndexPath
    ) -> UICollectionReusableView {
      if let view = supplementaryView?(kind, indexPath) { return view }
      guard let part = [SectionPart.header, .footer].first(where: { $0.elementKind == kind }) else {
        return emptyView(kind, indexPath)
      }
      let view = collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: SectionTitleView.identifier, for: indexPath)
      (view as? SectionTitleView)?.show(
        list.title(part, of: indexPath.section).text, part,
        surroundings.drawing.sectionView(part, indexPath.section))
      return view
    }

    // MARK: - Moving

    func collectionView(
      _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
    ) -> Bool { list.canMove(RowPosition(indexPath)) }

    func collectionView(
      _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
      to destinationIndexPath: IndexPath
    ) {
      // The items changed under the finger: another item may be there now.
      guard handMove.drop() else { return replaceAll {} }
      _ = list.move(from: RowPosition(sourceIndexPath), to: RowPosition(destinationIndexPath))
    }
  }

  extension SectionPart {
    /// The name that a collection view has for it.
    @MainActor var elementKind: String {
      switch self {
      case .header: UICollectionView.elementKindSectionHeader
      case .footer: UICollectionView.elementKindSectionFooter
      }
    }
  }

  /// The title of a section in a collection view.
  final class SectionTitleView: UICollectionReusableView {
    static let identifier = "Quire.sectionTitle"
    let label = UILabel(frame: .zero)
    private var custom: UIView?

    func show(_ text: String?, _ part: SectionPart, _ view: UIView?) {
      if label.superview == nil {
        label.numberOfLines = 0
        label.adjustsFontForContentSizeCategory = true
        addSubview(label)
      }
      custom?.removeFromSuperview()
      custom = view
      if let view { addSubview(view) }
      label.text = view == nil ? text : nil
      label.font = UIFont.preferredFont(forTextStyle: part == .header ? .headline : .footnote)
      setNeedsLayout()
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      label.frame = CGRect(
        x: 16, y: 0, width: max(0, bounds.width - 32), height: bounds.height)
      custom?.frame = CGRect(origin: .zero, size: bounds.size)
    }

    // Layouts of lists ask for the height in this way.
    override func sizeThatFits(_ size: CGSize) -> CGSize {
      let room = CGSize(width: max(0, size.width - 32), height: size.height)
      return CGSize(
        width: size.width,
        height: custom?.sizeThatFits(size).height ?? label.sizeThatFits(room).height + 12)
    }
  }
#endif
