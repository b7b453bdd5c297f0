#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Foundation
  internal import Quire
  internal import UIKit

  /// The pictures of a list. Those at an address are loaded over the server of the list, and kept while there is room.
  @MainActor final class RowPictures {
    /// The memory of pictures that are kept, in bytes.
    private static let limit = 32 << 20

    private let kept = NSCache<NSString, UIImage>()
    private var loading: Set<String> = []
    /// Loads what is at an address.
    private let load: @MainActor (String) async -> Data?
    /// Called with an address whose picture can be drawn now.
    private let arrived: (String) -> Void

    init(load: @escaping @MainActor (String) async -> Data?, arrived: @escaping (String) -> Void) {
      self.load = load
      self.arrived = arrived
      kept.totalCostLimit = Self.limit
    }

    /// Returns a picture; `nil` while it is loaded, and if there is none.
    func picture(_ image: RowContent.Image, _ drawing: ListDrawing) -> UIImage? {
      if let drawn = drawing.image(image) { return drawn }
      guard case .address(let address) = image else { return nil }
      if let known = kept.object(forKey: NSString(string: address)) { return known }
      guard loading.insert(address).inserted else { return nil }
      Task { [weak self] in
        let isThere = await self?.loaded(address) != nil
        self?.loading.remove(address)
        if isThere { self?.arrived(address) }
      }
      return nil
    }

    /// Returns the picture at an address, loaded if it isn't kept; `nil` if there is none.
    func loaded(_ address: String) async -> UIImage? {
      if let known = kept.object(forKey: NSString(string: address)) { return known }
      guard let picture = await load(address).flatMap({ UIImage(data: $0) }) else { return nil }
      // Decoded before it is drawn, so that scrolling doesn't wait for it.
      let drawn = await picture.byPreparingForDisplay() ?? picture
      let (width, height) = (drawn.size.width * drawn.scale, drawn.size.height * drawn.scale)
      kept.setObject(drawn, forKey: NSString(string: address), cost: Int(width * height) * 4)
      return drawn
    }
  }

  extension RowContent {
    /// Whether it has the picture at an address.
    func shows(_ address: String) -> Bool {
      image == .address(address) || accessory == .address(address)
    }
  }

  /// Draws the content of rows in standard cells.
  extension ListSurroundings {
    func configuration(
      _ standard: UIListContentConfiguration, of row: RowContent
    ) -> UIListContentConfiguration {
      var content = standard
      content.text = row.title
      content.secondaryText = row.subtitle
      content.image = row.image.flatMap(picture)
      if case .address = row.image {
        // Texts don't move when the picture arrives, whatever its size.
        content.imageProperties.maximumSize = AccessoryView.size
        content.imageProperties.reservedLayoutSize = AccessoryView.size
      }
      return content
    }

    func draw(_ row: RowContent, in cell: UITableViewCell) {
      cell.contentConfiguration = configuration(cell.defaultContentConfiguration(), of: row)
      if let picture = row.accessory.flatMap(picture) {
        cell.accessoryView = AccessoryView(picture)
      } else if cell.accessoryView is AccessoryView {
        cell.accessoryView = nil
      }
    }

    func draw(_ row: RowContent, in cell: UICollectionViewCell) {
      let list = cell as? UICollectionViewListCell
      cell.contentConfiguration = configuration(
        list?.defaultContentConfiguration() ?? .cell(), of: row)
      guard let list else { return }
      list.accessories.removeAll { accessory in
        if case .customView(let view) = accessory.accessoryType { view is AccessoryView } else { false }
      }
      guard let picture = row.accessory.flatMap(picture) else { return }
      list.accessories.append(
        .customView(
          configuration: UICellAccessory.CustomViewConfiguration(
            customView: AccessoryView(picture), placement: .trailing(displayed: .always))))
    }
  }

  /// The picture at the end of a row.
  final class AccessoryView: UIImageView {
    static let size = CGSize(width: 44, height: 44)

    init(_ picture: UIImage) {
      let room = AccessoryView.size
      let scale = min(1, room.width / picture.size.width, room.height / picture.size.height)
      super.init(
        frame: CGRect(
          x: 0, y: 0, width: picture.size.width * scale, height: picture.size.height * scale))
      contentMode = .scaleAspectFit
      image = picture
    }

    required init?(coder: NSCoder) { nil }
  }
#endif
