/// The rules of one field.
struct FieldOptions: Sendable {
  var paths: [JSONPath] = []
  /// Paths that can't be read.
  var faults: [JSONPathError] = []
  var isRequired = false
  /// `nil` leaves it to the mapper.
  var isStrict: Bool?
  /// `nil` leaves it to the mapper.
  var takesEmpty: Bool?
  var takesBools = false
  var takesSingle = false
  var isSensitive = false
  var isInterned = false
  var isJSONString = false
  var elements: ElementPolicy = .drop
  var dates: [DateFormat] = .usual
  var variants: ItemVariants?
}

/// What becomes of an array or a dictionary when one of its elements can't be read.
public enum ElementPolicy: String, Sendable, Hashable {
  /// The element is left out and reported. This is the default.
  case drop
  /// The property keeps what it had.
  case keepDefault
  /// The item around it is unusable, as if a required value were missing.
  case fail
}
