#if canImport(UIKit)
  /// Whether a row that is moved by hand is still where the view picked it up: the list may change while it is
  /// dragged.
  struct HandMove {
    private var changes = 0
    private var proposed: Int?

    /// Notes that the rows changed.
    mutating func rowsChanged() { changes += 1 }

    /// Notes that the dragged row is over a position.
    mutating func propose() { proposed = changes }

    /// Ends the move, and returns whether the rows are those that the user saw.
    mutating func drop() -> Bool {
      defer { proposed = nil }
      return proposed.map { $0 == changes } ?? true
    }
  }
#endif
