/// Where the properties of one type come from: a row for each, with the property, the places in the
/// JSON and the rules.
///
/// A table is a value that can be looked at; ``TableInspection`` tells more. It is read when its type
/// or a subclass is first used, and may be read more than once.
public struct FieldTable: Sendable {
  /// The type the table was written for; `nil` for one without rows.
  let owner: (any Any.Type)?
  let rows: [any FieldRow]
  /// The properties that come from nowhere on purpose.
  let ignored: [String]
  let naming: FieldNaming

  /// A table without rows.
  public init() {
    owner = nil
    rows = []
    ignored = []
    naming = .same
  }

  /// A table of the rows that `build` adds.
  ///
  /// - Parameters:
  ///   - type: The type whose properties these are. Its superclasses have tables of their own.
  ///   - naming: What a property is called in the JSON where its row names no path.
  ///   - build: Adds the rows by calling what it is given: `f(\.title, "book.title")`.
  public init<Root: JSONValue>(
    _ type: Root.Type, naming: FieldNaming = .same, _ build: (inout FieldTableBuilder<Root>) -> Void
  ) {
    var builder = FieldTableBuilder<Root>()
    build(&builder)
    owner = type
    rows = builder.rows
    ignored = builder.ignored
    self.naming = naming
  }
}
