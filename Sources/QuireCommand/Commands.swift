internal import Quire

/// The subcommands, in the order of the help.
enum Commands {
  static let demo = CommandSpec(
    name: "demo", summary: "show a changing list from a server inside this program",
    groups: [
      OptionGroup(
        title: "output",
        options: [
          OptionSpec(
            "steps", nil,
            "print step by step what happens to a list, as without a terminal")
        ])
    ])
  static let completions = CommandSpec(
    name: "completions", summary: "print a completion script for a shell",
    operands: [
      OperandSpec(name: "SHELL", help: "bash, zsh or fish", choices: Completions.shells)
    ])
  static let help = CommandSpec(
    name: "help", summary: "show the help of a command, or print the manual page",
    operands: [
      OperandSpec(
        name: "COMMAND", help: "a command, or man for the source of the manual page",
        choices: others.map(\.name) + ["man"], isOptional: true)
    ])

  private static let others = [
    CrawlCommand.spec, CollectCommand.spec, SyncCommand.spec, BrowseCommand.spec, demo, completions,
  ]
  static let all = others + [help]

  static var overview: String {
    let lines = all.map { "  " + $0.name.padded(to: 14) + $0.summary }
    return "Read every row of a paginated API, in a terminal or for a pipe.\n\n"
      + "usage: quire COMMAND [options]\n\ncommands:\n" + lines.joined(separator: "\n")
      + "\n\nRun quire COMMAND --help for the options and examples of a command,\n"
      + "and quire --version for the version.\n"
  }

  /// Returns the help of a command, the overview without a topic, or the source of the manual page.
  static func help(on topic: String?) -> String {
    switch topic {
    case nil: overview
    case "man": Manual.page(of: all)
    case let name?: all.first { $0.name == name }?.helpText ?? overview
    }
  }

  /// Returns the output of a command that only prints text.
  static func text(
    of command: CommandSpec, _ words: some Sequence<String>
  ) throws(UsageError) -> String {
    let arguments = try Arguments(words, for: command)
    if arguments.wantsHelp { return command.helpText }
    let operand = arguments.operands.first
    return command.name == completions.name
      ? Completions.script(for: operand ?? "", all) : help(on: operand)
  }

  static func unknown(_ name: String) -> String {
    "unknown command \(name)" + Suggestion.hint(for: name, among: all.map(\.name))
      + "\n\n" + overview
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
