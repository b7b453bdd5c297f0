/// What becomes of a row that comes again, in the same page or in a later one.
public enum DuplicatePolicy: Hashable, Sendable {
  /// The row stays as it is; what came again is left out.
  case keepFirst
  /// The row stays where it is and takes the newer content.
  case replaceInPlace
  /// The row goes to where it came last, with the newer content.
  case moveToNew
}
