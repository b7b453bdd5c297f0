/// The declaration of a subcommand. Parser, help, manual page and completions are all derived from it.
struct CommandSpec: Sendable {
  var name: String
  /// What the command does, in the imperative, with a lower-case start and no period.
  var summary: String
  /// The arguments besides options, in order.
  var operands: [OperandSpec] = []
  var groups: [OptionGroup] = []
  /// Further sections of the help and the manual page.
  var notes: [Note] = []

  var options: [OptionSpec] { groups.flatMap(\.options) + [.help] }

  func option(_ name: some StringProtocol) -> OptionSpec? { options.first { $0.name == name } }

  struct Note: Sendable {
    var title: String
    /// Preformatted lines.
    var lines: [String]
  }
}

struct OptionGroup: Sendable {
  var title: String
  var options: [OptionSpec]
}

/// An option, `--name` or `--name VALUE`.
struct OptionSpec: Sendable {
  enum Completion: Sendable {
    case nothing, file, folder
    /// The name of a file after an `@`.
    case fileAfterAt
  }

  var name: String
  /// The placeholder of its value; `nil` for a flag.
  var value: String?
  var help: String
  /// The allowed values; empty if any value is allowed.
  var choices: [String] = []
  var repeats = false
  /// Whether its value can contain a password, so errors must not repeat it.
  var isSecret = false
  var completion = Completion.nothing

  init(
    _ name: String, _ value: String? = nil, _ help: String, choices: [String] = [],
    repeats: Bool = false, isSecret: Bool = false, completion: Completion = .nothing
  ) {
    self.name = name
    self.value = choices.isEmpty ? value : choices.joined(separator: "|")
    self.help = help
    self.choices = choices
    self.repeats = repeats
    self.isSecret = isSecret
    self.completion = completion
  }

  static let help = OptionSpec("help", nil, "show this help")
}

struct OperandSpec: Sendable {
  var name: String
  var help: String
  /// The allowed values; empty if any value is allowed.
  var choices: [String] = []
  var isOptional = false
}
