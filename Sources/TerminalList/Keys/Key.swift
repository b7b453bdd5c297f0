/// What was pressed.
enum Key: Hashable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace
  case wheelUp, wheelDown
  case character(Character)
  /// A letter together with the control key.
  case control(Character)
}
