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
  let naming: FieldTable.Naming

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
    _ type: Root.Type, naming: FieldTable.Naming = .same,
    _ build: (inout FieldTable.Builder<Root>) -> Void
  ) {
    var builder = FieldTable.Builder<Root>()
    build(&builder)
    owner = type
    rows = builder.rows
    ignored = builder.ignored
    self.naming = naming
  }
}

extension FieldTable {
  /// Takes the rows of a ``FieldTable``.
  public struct Builder<Root: JSONValue> {
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
}

extension FieldTable {
  /// What a property is called in the JSON where its row names no path.
  public enum Naming: Sendable, Hashable {
    /// The same as in Swift.
    case same
    /// In small letters with underscores: `pageURL` is `page_url`, `itemsPerPage` is `items_per_page`.
    case snakeCase

    /// The name in the JSON.
    func key(for property: String) -> String {
      switch self {
      case .same: property
      case .snakeCase: Self.snake(property)
      }
    }

    /// A new word begins at a capital behind a small letter or a digit, and at the last capital of
    /// several that are followed by a small letter.
    private static func snake(_ name: String) -> String {
      let letters = Array(name)
      var result = ""
      for (place, letter) in letters.enumerated() {
        if letter.isUppercase, place > 0 {
          let before = letters[place - 1]
          let isFollowed = place + 1 < letters.count && letters[place + 1].isLowercase
          if before.isLowercase || before.isNumber || (before.isUppercase && isFollowed) {
            result += "_"
          }
        }
        result += letter.lowercased()
      }
      return result
    }
  }
}
