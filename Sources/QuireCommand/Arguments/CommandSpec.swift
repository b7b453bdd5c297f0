/// What a subcommand takes, said once: reading, help, manual and completions are all made of it.
struct CommandSpec: Sendable {
  var name: String
  /// What it does, as the rest of "quire NAME does …" in a list.
  var summary: String
  /// What has to stand there besides options.
  var operands: [OperandSpec] = []
  var groups: [OptionGroup] = []
  /// Paragraphs for help and manual.
  var notes: [Note] = []

  var options: [OptionSpec] { groups.flatMap(\.options) + [.help] }

  func option(_ name: some StringProtocol) -> OptionSpec? { options.first { $0.name == name } }

  struct Note: Sendable {
    var title: String
    /// Lines that stand as they are.
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
    /// The name of a file behind an @.
    case markedFile
  }

  var name: String
  /// What its value is called; a flag has none.
  var value: String?
  var help: String
  /// The only values there are.
  var choices: [String] = []
  var repeats = false
  /// Whether its value can have a password, so that no error repeats it.
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

  static let help = OptionSpec("help", nil, "show this and end")
}

struct OperandSpec: Sendable {
  var name: String
  var help: String
  /// The only values there are.
  var choices: [String] = []
  var isOptional = false
}
