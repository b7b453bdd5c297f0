extension FieldTable {
  /// A check of a type's field table that needs no JSON: for tests, documentation, and writing
  /// tables.
  ///
  /// ```swift
  /// @Test func `the table of a book is sound and fast`() {
  ///   let table = FieldTable.Inspection(of: Book.self)
  ///   #expect(table.problems.isEmpty)
  ///   #expect(table.slowFields.isEmpty)
  /// }
  /// ```
  public struct Inspection: Sendable {
    /// A mapped property.
    package struct Field: Sendable, Hashable {
      /// The property's name.
      package let name: String
      /// The property's type in Swift's short form: `URL?`.
      package let type: String
      /// The paths of its value, in order of preference.
      package let paths: [JSONPath]
      /// Whether an item without the value is unusable.
      package let isRequired: Bool
      /// Whether the mapper stores the value directly in memory.
      package let isDirect: Bool
    }

    /// The mapped properties, superclasses first.
    package let fields: [Field]
    /// The problems of the table, each in one line that says how to fix it. The last one says if parts of it could not be
    /// checked. A debug build writes the mistakes to standard error and ends at the first use of the type.
    public let problems: [String]
    /// A table with a row for every stored property that the type itself declares, ready to paste.
    public let suggestion: String

    /// Inspects the table of a class.
    public init(of type: (some BaseItem).Type) { self.init(PlanCompiler(type)) }

    /// Inspects the table of a struct.
    public init(of type: (some ItemValue).Type) { self.init(PlanCompiler(type)) }

    private init(_ compiler: PlanCompiler) {
      fields = compiler.fields.map { field in
        Field(
          name: field.name, type: field.row.typeName, paths: field.paths,
          isRequired: field.options.isRequired, isDirect: field.isDirect)
      }
      problems = compiler.problems.map(\.description)
      suggestion = TableSuggestion.text(for: compiler)
    }

    /// The properties that are set through their key paths, which takes many times as long: those
    /// that are not `final`, and those that are observed, lazy, weak, wrapped or computed.
    public var slowFields: [String] { fields.filter { !$0.isDirect }.map(\.name) }
  }
}

extension FieldTable.Inspection: CustomStringConvertible {
  /// One line for each field, followed by one for each problem.
  public var description: String {
    let rows = fields.map { field in
      let paths = field.paths.map { "\($0)" }.joined(separator: " or ")
      return "\(field.name): \(field.type) from \(paths)"
        + (field.isRequired ? ", required" : "") + (field.isDirect ? "" : ", slow")
    }
    return (rows + problems.map { "problem: \($0)" }).joined(separator: "\n")
  }
}

/// The text of a suggested table.
private enum TableSuggestion {
  static func text(for compiler: PlanCompiler) -> String {
    let head = compiler.type == nil ? "static var" : "override class var"
    let own = compiler.properties.types.last.map { ObjectIdentifier($0) }
    let rows = compiler.properties.all.filter { ObjectIdentifier($0.owner) == own }.map {
      // Only done here, where speed doesn't matter: the cast searches all conformances of the
      // program.
      $0.type is any JSONValue.Type
        ? "    f(\\.\($0.name), \"\($0.name)\")"
        : "    f.ignore(\"\($0.name)\")  // \(TypeName.text($0.type)) is not a JSONValue"
    }
    return """
      \(head) fields: FieldTable {
        FieldTable(\(compiler.name).self) { f in
      \(rows.joined(separator: "\n"))
        }
      }
      """
  }
}

extension FieldTable.Inspection {
  /// A mistake in a ``FieldTable``.
  enum Problem: Sendable, Hashable {
    /// A path can't be parsed.
    case path(JSONPath.ParsingError, property: String?)
    /// A date format is invalid.
    case date(String, property: String?)
    /// A row has no path, and its property's name is unknown.
    case noPath(String)
    /// A key path force-unwraps an optional, which the server may leave empty.
    case forcedValue(String)
    /// A stored property is neither mapped nor ignored.
    case unmapped(String)
    /// An ignored name matches no property.
    case unknownIgnored(String)
    /// A property is both mapped and ignored.
    case mappedAndIgnored(String)
    /// The table was written for another type, which is not a superclass.
    case foreignTable(String)
    /// The type is `CustomReflectable`, so its own properties can't be compared with the table. The
    /// rows work as usual, and a debug build does not stop.
    case unseen(String)
  }
}

extension FieldTable.Inspection.Problem {
  /// Whether the problem requires a change of the table.
  var isMistake: Bool { if case .unseen = self { false } else { true } }
}

extension FieldTable.Inspection.Problem: CustomStringConvertible {
  /// One line that says how to fix the problem.
  var description: String {
    switch self {
    case .path(let error, let property): "\(property.map { "\($0): " } ?? "")\(error)"
    case .date(let problem, let property): "\(property.map { "\($0): " } ?? "")\(problem)"
    case .noPath(let keyPath): "\(keyPath): the property's name is unknown; give it a path"
    case .forcedValue(let keyPath):
      "\(keyPath): the optional may be nil; map the optional itself"
    case .unmapped(let name):
      "\(name): not mapped; add f(\\.\(name), \"…\") or f.ignore(\"\(name)\")"
    case .unknownIgnored(let name):
      "f.ignore(\"\(name)\"): no stored property has this name; correct or remove it"
    case .mappedAndIgnored(let name): "\(name): both mapped and ignored; remove one of them"
    case .unseen(let name):
      "\(name) is CustomReflectable, so its table can't be checked; make sure that each property is"
        + " mapped or ignored"
    case .foreignTable(let owner):
      "the table was written for \(owner), which is not a superclass; pass the type"
        + " that declares the table to FieldTable"
    }
  }
}
