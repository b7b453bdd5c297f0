/// A user action on a row.
public enum RowAction: Hashable, Sendable {
  /// The row was selected.
  case select
  /// The row was deselected.
  case deselect
  /// An insertion at the row was confirmed.
  case insert
  /// The deletion of the row was confirmed.
  case delete
  /// The row was moved to a position.
  case move(to: RowPosition)
  /// The swipe action with this id was chosen.
  case swipe(String)
  /// The row became visible.
  case show
  /// The row is no longer visible.
  case hide
  /// Any other action, such as a button in its cell.
  case custom(String)
}

extension RowAction {
  /// The result of an action on a row.
  public enum Reply: Hashable, Sendable {
    /// It was handled by `delegate`, by the rules of a kind such as `kind photo`, or by the handler with this name.
    case handled(by: String)
    /// Nothing handled it.
    case unhandled
    /// There is no such row.
    case noRow
  }
}

extension RowAction {
  /// An action that can be chosen when a row is swiped.
  public struct Swipe: Hashable, Sendable, Identifiable {
    /// The side of the row on which the action appears.
    public enum Edge: Hashable, Sendable {
      /// The side where lines start.
      case leading
      /// The side where lines end.
      case trailing
    }

    /// The id of the action.
    public var id: String
    /// The title.
    public var title: String
    /// The picture.
    public var image: RowContent.Image?
    /// Whether it can't be undone.
    public var isDestructive: Bool

    /// Creates an action.
    public init(
      _ id: String, title: String, image: RowContent.Image? = nil, isDestructive: Bool = false
    ) {
      self.id = id
      self.title = title
      self.image = image
      self.isDestructive = isDestructive
    }
  }
}
