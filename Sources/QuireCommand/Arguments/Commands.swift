internal import Quire

/// The subcommands that people use, in the order of help.
enum Commands {
  static let demo = CommandSpec(
    name: "demo", summary: "a list that changes while it is read, on a server inside this program")
  static let completions = CommandSpec(
    name: "completions", summary: "a script that completes the command in a shell",
    operands: [
      OperandSpec(name: "SHELL", help: "bash, zsh or fish", choices: Completions.shells)
    ])
  static let help = CommandSpec(
    name: "help", summary: "what a command does, or the source of the manual page",
    operands: [
      OperandSpec(
        name: "COMMAND", help: "a command, or man for the manual page",
        choices: others.map(\.name) + ["man"], isOptional: true)
    ])

  private static let others = [CrawlCommand.spec, BrowseCommand.spec, demo, completions]
  static let all = others + [help]

  static var overview: String {
    let lines = all.map { "  " + $0.name.padded(to: 14) + $0.summary }
    return "usage: quire COMMAND …\n\n" + lines.joined(separator: "\n")
      + "\n\nquire COMMAND --help tells more.\n"
  }

  /// What there is to read on a command or on all of them, or the source of the manual page.
  static func help(on topic: String?) -> String {
    switch topic {
    case nil: overview
    case "man": Manual.page(of: all)
    case let name?: all.first { $0.name == name }?.helpText ?? overview
    }
  }

  /// What a command prints that does no more than that.
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
    "there is no command \(name)" + NearWords.hint(for: name, among: all.map(\.name))
      + "\n\n" + overview
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
