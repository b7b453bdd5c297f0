/// What can be known of a type's field table before any JSON is read: for tests, documentation, and
/// whoever has to write one.
///
/// ```swift
/// @Test func `the table of a book is sound and fast`() {
///   let table = TableInspection(of: Book.self)
///   #expect(table.problems.isEmpty)
///   #expect(table.slowFields.isEmpty)
/// }
/// ```
public struct TableInspection: Sendable {
  /// One mapped property.
  public struct Field: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Its type as it is written: `URL?`.
    public let type: String
    /// The places its value may be at, the first one first.
    public let paths: [JSONPath]
    /// Whether an item is unusable without it.
    public let isRequired: Bool
    /// Whether it is filled by storing directly to its place in memory.
    public let isDirect: Bool
  }

  /// The mapped properties, those of superclasses first.
  public let fields: [Field]
  /// What is wrong with the table, and last that it could not all be checked. A debug build stops with
  /// what is wrong at the first use of the type.
  public let problems: [TableInspection.Problem]
  /// A table with a row for every stored property the type itself declares, ready to be pasted.
  public let suggestion: String

  /// Looks at the table of a class.
  public init(of type: (some BaseItem).Type) { self.init(PlanCompiler(type)) }

  /// Looks at the table of a struct.
  public init(of type: (some ItemValue).Type) { self.init(PlanCompiler(type)) }

  private init(_ compiler: PlanCompiler) {
    fields = compiler.fields.map { field in
      Field(
        name: field.name, type: field.row.typeName, paths: field.paths,
        isRequired: field.options.isRequired, isDirect: field.isDirect)
    }
    problems = compiler.problems
    suggestion = TableSuggestion.text(for: compiler)
  }

  /// The properties that are filled through their key paths, which takes many times as long:
  /// those that are not `final`, and those that are observed, lazy, weak, wrapped or computed.
  public var slowFields: [String] { fields.filter { !$0.isDirect }.map(\.name) }
}

extension TableInspection: CustomStringConvertible {
  /// One line for each field, then one for each problem.
  public var description: String {
    let rows = fields.map { field in
      let paths = field.paths.map { "\($0)" }.joined(separator: " or ")
      return "\(field.name): \(field.type) from \(paths)"
        + (field.isRequired ? ", required" : "") + (field.isDirect ? "" : ", slow")
    }
    return (rows + problems.map { "problem: \($0)" }).joined(separator: "\n")
  }
}

/// A table to begin with.
private enum TableSuggestion {
  static func text(for compiler: PlanCompiler) -> String {
    let head = compiler.type == nil ? "static var" : "override class var"
    let own = compiler.properties.types.last.map { ObjectIdentifier($0) }
    let rows = compiler.properties.all.filter { ObjectIdentifier($0.owner) == own }.map {
      // Only here, where nobody waits: such a cast searches all conformances of the program.
      $0.type is any JSONValue.Type
        ? "    f(\\.\($0.name), \"\($0.name)\")"
        : "    f.ignore(\"\($0.name)\")  // \(TypeName.text($0.type)) is no JSONValue"
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

extension TableInspection {
  /// A mistake in a ``FieldTable``.
  public enum Problem: Sendable, Hashable {
    /// A path that can't be read.
    case path(JSONPath.ParsingError, property: String?)
    /// A date format that reads nothing.
    case date(String, property: String?)
    /// A row without a path, whose property's name can't be found out.
    case noPath(String)
    /// A key path that forces a value out of an optional, which a server could leave empty.
    case forcedValue(String)
    /// A stored property that is neither mapped nor ignored.
    case unmapped(String)
    /// A name that is ignored, but no property has it.
    case unknownIgnored(String)
    /// A property that is both mapped and ignored.
    case mappedAndIgnored(String)
    /// The table was written for another type, which is no superclass.
    case foreignTable(String)
    /// The type is `CustomReflectable`, so that its own properties can't be compared with the table.
    /// The rows are as good as any; a debug build does not stop for it.
    case unseen(String)
  }
}

extension TableInspection.Problem {
  /// Whether the table has to be changed.
  var isMistake: Bool { if case .unseen = self { false } else { true } }
}

extension TableInspection.Problem: CustomStringConvertible {
  /// One line that says what to do.
  public var description: String {
    switch self {
    case .path(let error, let property): "\(property.map { "\($0): " } ?? "")\(error)"
    case .date(let problem, let property): "\(property.map { "\($0): " } ?? "")\(problem)"
    case .noPath(let keyPath): "\(keyPath): give it a path, for its name can't be found out"
    case .forcedValue(let keyPath):
      "\(keyPath): map the optional itself, for there may be nothing in it"
    case .unmapped(let name):
      "\(name): map it with f(\\.\(name), \"…\"), or leave it out with f.ignore(\"\(name)\")"
    case .unknownIgnored(let name): "f.ignore(\"\(name)\"): there is no such stored property"
    case .mappedAndIgnored(let name): "\(name): it is mapped and ignored; decide for one"
    case .unseen(let name):
      "\(name) is CustomReflectable: see for yourself that each property is mapped or ignored"
    case .foreignTable(let owner): "the table was written for \(owner), which is no superclass"
    }
  }
}
