/// How items of one kind are shown, as a type. Everything but the kind has a default.
///
/// ```swift
/// struct PhotoRows: CellDefinition {
///   let kind: CellKind = "photo"
///   func height(of photo: Photo, in width: Double) -> Double? { width / photo.aspect }
/// }
///
/// kinds.add(PhotoRows())
/// ```
public protocol CellDefinition<Item>: Sendable {
  /// What is shown.
  associatedtype Item
  /// The kind.
  var kind: CellKind { get }
  /// How high a row is; `nil` leaves it to the standard height. Also called off the main actor.
  func height(of item: Item, in width: Double) -> Double?
  /// What a row says.
  func content(of item: Item) -> RowContent?
  /// Fills a cell; says whether it could.
  @MainActor func configure(_ cell: Any, with item: Item, at position: RowPosition) -> Bool
  /// A row was selected. Says whether that is all there is to do.
  @MainActor func select(_ item: Item, at position: RowPosition) -> Bool
}

extension CellDefinition {
  /// The standard height.
  public func height(of item: Item, in width: Double) -> Double? { nil }
  /// Nothing.
  public func content(of item: Item) -> RowContent? { nil }
  /// Can't.
  @MainActor public func configure(_ cell: Any, with item: Item, at position: RowPosition) -> Bool {
    false
  }
  /// Left to others.
  @MainActor public func select(_ item: Item, at position: RowPosition) -> Bool { false }
}
