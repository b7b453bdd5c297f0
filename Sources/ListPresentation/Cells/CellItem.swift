/// What an item may say of its own cell. Every requirement has a default, so an item writes what it has to
/// say and nothing else.
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
  /// The kind of its cell; `nil` or an empty name leaves it to ``CellKinds``.
  var cellKind: CellKind? { get }
  /// Another number whenever its height may be another one. Where it is 0, the row is measured again
  /// when the list finds it changed; where it is not, only by another number.
  var rowVersion: Int { get }
  /// How high its row is; `nil` leaves it to its kind.
  func rowHeight(in width: Double) -> Double?
  /// What its row says, for rows of a usual make; `nil` leaves it to its kind.
  var rowContent: RowContent? { get }
  /// Its row was selected. Says whether that is all there is to do.
  @MainActor func rowSelected(at position: RowPosition) -> Bool
}

extension CellItem {
  /// Left to the registry.
  public var cellKind: CellKind? { nil }
  /// Left to the list.
  public var rowVersion: Int { 0 }
  /// Left to the kind.
  public func rowHeight(in width: Double) -> Double? { nil }
  /// Left to the kind.
  public var rowContent: RowContent? { nil }
  /// Left to others.
  @MainActor public func rowSelected(at position: RowPosition) -> Bool { false }
}
