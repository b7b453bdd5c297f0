#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  internal import Quire
  internal import UIKit

  extension UISwipeActionsConfiguration {
    /// Creates the swipe actions of a row; `nil` if it has none.
    ///
    /// - Parameter perform: Performs the action with an id, and returns whether it was handled.
    convenience init?(
      _ actions: [RowAction.Swipe], picture: (RowContent.Image) -> UIImage?,
      perform: @escaping (String) -> Bool
    ) {
      guard !actions.isEmpty else { return nil }
      self.init(
        actions: actions.map { action in
          let made = UIContextualAction(
            style: action.isDestructive ? .destructive : .normal, title: action.title
          ) { _, _, done in
            let isHandled = perform(action.id)
            // UIKit removes the row of a destructive action that was performed. The list does that, when it has.
            done(isHandled && !action.isDestructive)
          }
          made.image = action.image.flatMap(picture)
          return made
        })
    }
  }

  extension RowAction.Reply {
    /// Whether a handler handled the action.
    var isHandled: Bool { if case .handled = self { true } else { false } }
  }

  /// Whether a row that is moved by hand is still where the view picked it up: the list may change while it is
  /// dragged.
  struct HandMove {
    /// Whether the view is dropping a row right now.
    var isDropping = false
    /// Whether the view has to count its rows again, because it shows a move that the list hasn't made.
    var isReloadDue = false
    /// The last move, until the rows change.
    private(set) var dropped: (from: RowPosition, to: RowPosition)?
    private var changes = 0
    private var proposed: Int?

    /// Notes that the rows changed.
    mutating func rowsChanged() {
      changes += 1
      dropped = nil
    }

    /// Notes that the dragged row is over a position.
    mutating func propose() { proposed = changes }

    /// Ends the move, and returns whether the rows are those that the user saw.
    mutating func drop(from old: RowPosition, to new: RowPosition) -> Bool {
      defer { proposed = nil }
      dropped = (old, new)
      return proposed.map { $0 == changes } ?? true
    }
  }
#endif
