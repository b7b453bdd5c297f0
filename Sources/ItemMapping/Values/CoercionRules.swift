/// How far a scalar may be from what a property holds.
struct CoercionRules: Sendable, Hashable {
  /// Only a value of the property's own JSON type is taken.
  var isStrict = false
  /// `true` and `false` are 1 and 0 for a number.
  var takesBools = false
}

/// What a scalar is for a property.
enum Coerced<Value> {
  /// The very value.
  case exact(Value)
  /// A value of another type that stands for this one, and whether anything was lost:
  /// ``MappingIssue/Kind/converted`` or ``MappingIssue/Kind/inexact``.
  case converted(Value, MappingIssue.Kind)
  /// Nothing a property could take.
  case failed(MappingIssue.Kind)
}
