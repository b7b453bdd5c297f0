/// What an item says of its own cell. Every requirement has a default, so an item writes what it has to
/// say and nothing else; what it leaves open the rules of ``CellKinds`` say.
///
/// ```swift
/// extension Photo: CellItem {
///   var cellKind: CellKind? { .photo }
///   func rowHeight(in width: Double) -> Double? { width / aspect }
/// }
/// ```
///
/// Heights are also asked for off the main actor.
public protocol CellItem {
  /// The kind of its cell; `nil` or an empty name leaves it to the rules.
  var cellKind: CellKind? { get }
  /// Another number whenever its height may be another one. Where it is 0, the row is measured again
  /// when the list finds it changed; where it is not, only by another number.
  var rowVersion: Int { get }
  /// How high its row is; `nil` leaves it to the rules.
  func rowHeight(in width: Double) -> Double?
  /// What its row says, for rows of a usual make; `nil` leaves it to the rules.
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

/// What a row of a usual make says: two lines, a picture, and something at its end.
///
/// Lists of unrelated items share one way to draw rows when their kinds make this of them.
public struct RowContent: Hashable, Sendable {
  /// The first line.
  public var title: String
  /// The second line.
  public var subtitle: String?
  /// The picture.
  public var image: RowContent.Image?
  /// What stands at the end.
  public var accessory: RowContent.Image?

  /// Makes content.
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
  /// Where a picture is; the view gets it.
  public enum Image: Hashable, Sendable {
    /// A picture that the program brings along.
    case named(String)
    /// A picture at an address.
    case address(String)
  }
}
