/// What somebody did to a row.
public enum RowAction: Hashable, Sendable {
  /// Selected it.
  case select
  /// Selected another one, or nothing.
  case deselect
  /// Confirmed that something is to be inserted at it.
  case insert
  /// Confirmed that it is to go.
  case delete
  /// Moved it there.
  case move(to: RowPosition)
  /// Swiped it and chose the action with this id.
  case swipe(String)
  /// It came into sight.
  case show
  /// It went out of sight.
  case hide
  /// Anything else, such as a button in its cell.
  case custom(String)
}

/// Something that was done to a row, and to which.
public struct RowEvent<Item> {
  /// What was done.
  public var action: RowAction
  /// What the row shows; `nil` where that is not in memory.
  public var item: Item?
  /// Where the row is.
  public var position: RowPosition

  /// Makes an event.
  public init(_ action: RowAction, of item: Item?, at position: RowPosition) {
    self.action = action
    self.item = item
    self.position = position
  }
}

extension RowEvent: Sendable where Item: Sendable {}
extension RowEvent: Equatable where Item: Equatable {}

/// What became of something that was done to a row.
public enum RowReply: Hashable, Sendable {
  /// Somebody dealt with it: `delegate`, or a handler by its name.
  case handled(by: String)
  /// Nobody did.
  case unhandled
  /// There is no such row.
  case noRow
}

/// What editing a row means.
public enum RowEditing: Hashable, Sendable {
  /// It can't be edited.
  case none
  /// Something can be inserted at it.
  case insert
  /// It can be deleted.
  case delete
}

/// What may be chosen when a row is swiped.
public struct SwipeAction: Hashable, Sendable, Identifiable {
  /// The side on which it appears.
  public enum Edge: Hashable, Sendable {
    /// Where lines begin.
    case leading
    /// Where lines end.
    case trailing
  }

  /// Names it.
  public var id: String
  /// What it says.
  public var title: String
  /// Its picture.
  public var image: RowContent.Image?
  /// Whether it can't be undone.
  public var isDestructive: Bool

  /// Makes an action.
  public init(
    _ id: String, title: String, image: RowContent.Image? = nil, isDestructive: Bool = false
  ) {
    self.id = id
    self.title = title
    self.image = image
    self.isDestructive = isDestructive
  }
}
