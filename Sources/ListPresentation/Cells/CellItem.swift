/// An item that describes its own cell. Every requirement has a default; what an item leaves out comes from
/// the rules of ``CellKinds``.
///
/// ```swift
/// extension Photo: CellItem {
///   var cellKind: CellKind? { .photo }
///   func rowHeight(in width: Double) -> Double? { width / aspect }
/// }
/// ```
///
/// Heights are also requested off the main actor.
public protocol CellItem {
  /// The kind of its cell; `nil` or an empty name leaves it to the rules.
  var cellKind: CellKind? { get }
  /// A number that changes whenever the height may change. If it is 0, the row is measured again when the list
  /// finds it changed; otherwise only when the number changes.
  var rowVersion: Int { get }
  /// Returns the height of its row; `nil` leaves it to the rules.
  func rowHeight(in width: Double) -> Double?
  /// The content of its row, for standard rows; `nil` leaves it to the rules.
  var rowContent: RowContent? { get }
}

extension CellItem {
  /// Left to the rules.
  public var cellKind: CellKind? { nil }
  /// Left to the list.
  public var rowVersion: Int { 0 }
  /// Left to the rules.
  public func rowHeight(in width: Double) -> Double? { nil }
  /// Left to the rules.
  public var rowContent: RowContent? { nil }
}

/// The content of a standard row: two lines, a picture and an accessory.
///
/// Lists of unrelated items can share one way to draw rows if their kinds return this content.
public struct RowContent: Hashable, Sendable {
  /// The first line.
  public var title: String
  /// The second line.
  public var subtitle: String?
  /// The picture.
  public var image: RowContent.Image?
  /// The picture at the end of the row.
  public var accessory: RowContent.Image?

  /// Creates content.
  public init(
    _ title: String, subtitle: String? = nil, image: RowContent.Image? = nil,
    accessory: RowContent.Image? = nil
  ) {
    self.title = title
    self.subtitle = subtitle
    self.image = image
    self.accessory = accessory
  }
}

extension RowContent {
  /// The source of a picture, which the view loads.
  public enum Image: Hashable, Sendable {
    /// A picture in the program's resources.
    case named(String)
    /// A picture at a URL.
    case address(String)
  }
}
