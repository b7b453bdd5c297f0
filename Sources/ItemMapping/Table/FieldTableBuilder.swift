/// Takes the rows of a ``FieldTable``.
public struct FieldTableBuilder<Root: JSONValue> {
  var rows: [any FieldRow] = []
  var ignored: [String] = []

  /// Adds a row: a property, where it comes from, and rules.
  ///
  /// - Parameters:
  ///   - property: The property. Key paths to `final` stored properties are the fast ones.
  ///   - rules: Paths, of which the first one that leads to something other than `null` is taken, and
  ///     rules such as ``FieldRule/required``. Without a path the property's own name is the path.
  public mutating func callAsFunction<Value: JSONValue>(
    _ property: any WritableKeyPath<Root, Value> & Sendable, _ rules: FieldRule<Value>...
  ) {
    rows.append(KeyPathRow(property, rules))
  }

  /// Declares that properties are not mapped, by their names.
  public mutating func ignore(_ properties: String...) { ignored += properties }
}
