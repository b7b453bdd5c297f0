/// A list of the properties of one type, each with its paths in the JSON and its rules.
///
/// A table is a plain value; ``FieldTable/Inspection`` checks and describes it. It is created when its
/// type or a subclass is first used, and may be created more than once.
public struct FieldTable: Sendable {
  /// The type the table was written for; `nil` for a table without rows.
  let owner: (any Any.Type)?
  let rows: [any FieldRow]
  /// The properties that are deliberately not mapped.
  let ignored: [String]
  let naming: FieldTable.Naming

  /// Creates a table without rows.
  public init() {
    owner = nil
    rows = []
    ignored = []
    naming = .same
  }

  /// Creates a table with the rows that `build` adds.
  ///
  /// - Parameters:
  ///   - type: The type that declares the properties. Its superclasses have tables of their own.
  ///   - naming: How the JSON name of a property is derived if its row has no path.
  ///   - dates: The formats of the dates in fields without formats of their own; by default those of the mapper.
  ///   - build: Adds the rows by calling its argument: `f(\.title, "book.title")`.
  public init<Root: JSONValue>(
    _ type: Root.Type, naming: FieldTable.Naming = .same, dates: [DateFormat]? = nil,
    _ build: (inout FieldTable.Builder<Root>) -> Void
  ) {
    var builder = FieldTable.Builder<Root>()
    builder.dates = dates
    build(&builder)
    owner = type
    rows = builder.rows
    ignored = builder.ignored
    self.naming = naming
  }
}

extension FieldTable {
  /// Collects the rows of a ``FieldTable``.
  public struct Builder<Root: JSONValue> {
    var rows: [any FieldRow] = []
    var ignored: [String] = []
    var dates: [DateFormat]?

    /// Adds a row: a property, its paths and its rules.
    ///
    /// - Parameters:
    ///   - property: The property. Key paths to `final` stored properties are the fast ones.
    ///   - rules: Paths, of which the first one with a value other than `null` is used, and rules
    ///     such as ``FieldTable/Rule/required``. Without a path the property's own name is the path.
    public mutating func callAsFunction<Value: JSONValue>(
      _ property: any WritableKeyPath<Root, Value> & Sendable, _ rules: FieldTable.Rule<Value>...
    ) {
      rows.append(KeyPathRow(property, rules, dates: dates))
    }

    /// Declares, by name, that properties are not mapped.
    public mutating func ignore(_ properties: String...) { ignored += properties }
  }
}

extension FieldTable {
  /// How JSON names are derived from property names, for rows without a path.
  public enum Naming: Sendable, Hashable {
    /// The same name as in Swift.
    case same
    /// Lowercase with underscores: `pageURL` is `page_url`, `itemsPerPage` is `items_per_page`.
    case snakeCase

    /// Returns the name in the JSON.
    func key(for property: String) -> String {
      switch self {
      case .same: property
      case .snakeCase: Self.snake(property)
      }
    }

    /// Splits words before an uppercase letter that follows a lowercase letter or a digit, and
    /// before the last of several uppercase letters that precede a lowercase letter.
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
