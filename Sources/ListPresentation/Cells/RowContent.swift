/// What a row of a usual make says: two lines, a picture, and something at its end.
///
/// Lists of unrelated items share one way to draw rows when their kinds make this of them.
public struct RowContent: Hashable, Sendable {
  /// The first line.
  public var title: String
  /// The second line.
  public var subtitle: String?
  /// The picture.
  public var image: ImageReference?
  /// What stands at the end.
  public var accessory: ImageReference?

  /// Makes content.
  public init(
    _ title: String, subtitle: String? = nil, image: ImageReference? = nil,
    accessory: ImageReference? = nil
  ) {
    self.title = title
    self.subtitle = subtitle
    self.image = image
    self.accessory = accessory
  }
}

/// Where a picture is; the view gets it.
public enum ImageReference: Hashable, Sendable {
  /// A picture that the program brings along.
  case named(String)
  /// A picture at an address.
  case address(String)
}
