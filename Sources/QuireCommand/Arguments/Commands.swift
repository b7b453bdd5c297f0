internal import Quire

/// The subcommands that people use, in the order of help.
enum Commands {
  static let completions = CommandSpec(
    name: "completions", summary: "a script that completes the command in a shell",
    operands: [
      OperandSpec(name: "SHELL", help: "bash, zsh or fish", choices: Completions.shells)
    ])
  static let demo = CommandSpec(
    name: "demo", summary: "what can happen to a list, on a server inside this program")

  static let all = [CrawlCommand.spec, BrowseCommand.spec, demo, completions]

  static var help: String {
    let lines = all.map { "  " + $0.name.padded(to: 14) + $0.summary }
    return "usage: quire COMMAND …\n\n" + lines.joined(separator: "\n")
      + "\n\nquire COMMAND --help tells more.\n"
  }

  /// Prints help, or the source of the manual page.
  static func help(on topic: String?) -> String? {
    switch topic {
    case nil: help
    case "man": Manual.page(of: all)
    case let name?: all.first { $0.name == name }?.helpText
    }
  }

  static func printCompletions(_ words: some Sequence<String>) throws(UsageError) -> String {
    let arguments = try Arguments(words, for: completions)
    if arguments.wantsHelp { return completions.helpText }
    return Completions.script(for: arguments.operands[0], all)
  }

  static func unknown(_ name: String) -> String {
    "there is no command \(name)" + NearWords.hint(for: name, among: all.map(\.name))
      + "\n\n" + help
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
