internal import Quire

/// A plan that is read from a file: lists, their options, and how often they are read.
struct PlanFile: Sendable {
  /// The file, as it was named.
  let path: String
  /// The address that those of lists are below.
  var server: Value?
  var every: Entry?
  var lists: [List] = []

  /// A list, and the table of its name.
  struct List: Sendable {
    var name: String
    var place: TextPlace
    var entries: [Entry] = []
    /// Lists that are read for each row of this one.
    var children: [List] = []
  }

  /// An option, with all its values; a flag has none.
  struct Entry: Sendable {
    var name: String
    var values: [Value]
    var place: TextPlace
  }

  struct Value: Sendable {
    var text: String
    var place: TextPlace
  }

  /// The members of a plan that are no lists.
  static let members = ["server", "every", "defaults", "lists"]
  /// The options that a run of a plan can have.
  static let runningOptions = [
    "into", "every", "summary", "quiet", "durable", "only", "limit", "fail-on", "metrics", "check", "probe",
  ]
  /// The options of a run, which are no part of a list.
  static let runOptions = runningOptions + ["table", "write-plan", "plan-schema", "help"]

  /// The options of a list.
  static let options = CollectCommand.spec.options.filter { !runOptions.contains($0.name) }

  /// Leaves out all lists but some, whose secrets are not needed then. Names that it hasn't are refused later.
  mutating func keep(only names: String?) {
    guard let names = names.map({ Set(OptionSyntax.list($0)) }) else { return }
    let kept = lists.filter { names.contains($0.name) }
    if kept.count == names.count { lists = kept }
  }

  /// Whether an operand names a plan, and not an address.
  static func isNamed(by operand: String) -> Bool {
    guard !operand.contains("://") else { return false }
    let name = operand.lowercased()
    return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
  }

  /// Returns what is said of several problems, one in a line, in the order of the file.
  func error(_ problems: [TextProblem]) -> UsageError {
    // One of the defaults is found in each list.
    let lines = Set(problems).sorted { ($0.place, $0.text) < ($1.place, $1.text) }.map {
      "\(path):\($0.place.line):\($0.place.column): \($0.text)"
    }
    return UsageError(lines.joined(separator: "\n"))
  }
}

extension OptionSpec {
  /// What is between the parts of a value that a plan can write as a map; `nil` if it can't.
  var partSeparator: String? {
    guard repeats, let value else { return nil }
    return value.contains("NAME: VALUE") ? ": " : value == "NAME=VALUE" || value == "PATH=VALUE" ? "=" : nil
  }
}
