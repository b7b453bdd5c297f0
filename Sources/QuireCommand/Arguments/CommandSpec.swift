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
  /// The placeholder of its value, if it has no choices.
  private let placeholder: String?
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
    placeholder = value
    self.help = help
    self.choices = choices
    self.repeats = repeats
    self.isSecret = isSecret
    self.completion = completion
  }

  /// Whether it has a value, and is no flag.
  var takesValue: Bool { placeholder != nil || !choices.isEmpty }
  /// The placeholder of its value, or the choices; `nil` for a flag.
  var value: String? { choices.isEmpty ? placeholder : choices.joined(separator: "|") }

  static let help = OptionSpec("help", nil, "show this help")
}

struct OperandSpec: Sendable {
  var name: String
  var help: String
  /// The allowed values; empty if any value is allowed.
  var choices: [String] = []
  var isOptional = false
}

extension CommandSpec {
  /// `quire crawl [options] URL`.
  var usage: String {
    let operands = operands.map { $0.isOptional ? "[\($0.name)]" : $0.name }
    return (["quire", name] + (groups.isEmpty ? [] : ["[options]"]) + operands)
      .joined(separator: " ")
  }

  /// The text that `--help` prints, at most 80 columns wide.
  var helpText: String {
    var lines = Self.wrap(summary.prefix(1).uppercased() + summary.dropFirst() + ".", width: 80)
    lines += ["", "usage: \(usage)"]
    for operand in operands {
      lines.append("")
      lines += Self.entry(operand.name, operand.help)
    }
    for group in groups {
      lines += ["", "\(group.title):"]
      lines += group.options.flatMap { Self.entry($0.synopsis, $0.help) }
    }
    lines += ["", "other:"] + Self.entry(OptionSpec.help.synopsis, OptionSpec.help.help)
    for note in notes {
      lines += ["", "\(note.title):"] + note.lines.map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let column = 28

  private static func entry(_ name: String, _ help: String) -> [String] {
    let text = wrap(help, width: 80 - column)
    let head = "  \(name)"
    let space = String(repeating: " ", count: column)
    if head.count + 2 > column { return [head] + text.map { space + $0 } }
    let first = head + String(repeating: " ", count: column - head.count) + (text.first ?? "")
    return [first] + text.dropFirst().map { space + $0 }
  }

  static func wrap(_ text: some StringProtocol, width: Int) -> [String] {
    text.split(separator: " ").reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}

extension OptionSpec {
  /// `--items PATH`.
  var synopsis: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
}

/// The manual page, generated from the specs of the commands.
enum Manual {
  /// The date of the last change to the text.
  private static let date = "2026-11-29"

  static func page(of commands: [CommandSpec]) -> String {
    var lines = [
      ".TH QUIRE 1 \(date)", ".SH NAME", "quire \\- read every row of a paginated API",
      ".SH SYNOPSIS",
    ]
    for (index, command) in commands.enumerated() {
      if index > 0 { lines.append(".br") }
      let rest = command.usage.dropFirst("quire \(command.name)".count).drop { $0 == " " }
      lines.append(".B quire \(command.name)")
      if !rest.isEmpty { lines.append(escaped(String(rest))) }
    }
    lines += [".SH DESCRIPTION"]
    for command in commands {
      lines += [".SS quire \(command.name)"] + filled(sentence(command.summary))
      for operand in command.operands {
        lines += [".TP", ".I \(escaped(operand.name))"] + filled(sentence(operand.help))
      }
      for group in command.groups {
        lines += [".PP", ".I \(escaped(group.title.firstUppercased))"]
        for option in group.options { lines += entry(option) }
      }
      for note in command.notes {
        lines += [".PP", ".I \(escaped(note.title.firstUppercased))", ".PP", ".nf"]
        lines += note.lines.map(escaped) + [".fi"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ option: OptionSpec) -> [String] {
    let name = "\\fB\(escaped("--" + option.name))\\fR"
    let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
    return [".TP", name + value] + filled(sentence(option.help))
  }

  private static func sentence(_ text: String) -> String {
    // Words that users type keep their case.
    let isTyped = text.hasPrefix("bash")
    return (isTyped ? text : text.firstUppercased) + (text.hasSuffix(".") ? "" : ".")
  }

  private static func filled(_ text: String) -> [String] {
    CommandSpec.wrap(text, width: 78).map(escaped)
  }

  /// Returns the text in ASCII, with everything escaped that roff would take for a request.
  static func escaped(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": plain += "\\e"
      case "-": plain += "\\-"
      case _ where scalar.isASCII: plain.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        plain += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}

extension String {
  fileprivate var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}
