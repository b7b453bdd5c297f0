/// A mistake in a ``FieldTable``.
public enum TableProblem: Sendable, Hashable {
  /// A path that can't be read.
  case path(JSONPathError, property: String?)
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

extension TableProblem {
  /// Whether the table has to be changed.
  var isMistake: Bool { if case .unseen = self { false } else { true } }
}

extension TableProblem: CustomStringConvertible {
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
