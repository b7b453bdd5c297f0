/// The manual page, made of what the commands say of themselves.
enum Manual {
  static func page(of commands: [CommandSpec]) -> String {
    var lines = [
      ".TH QUIRE 1", ".SH NAME", "quire \\- every row of a paginated API", ".SH SYNOPSIS",
    ]
    for command in commands {
      lines += [".B quire \(command.name)", Self.escaped(command.synopsisRest), ".br"]
    }
    lines += [".SH DESCRIPTION"]
    for command in commands {
      lines += [".SS \(Self.escaped(command.usage))"]
      lines.append(Self.escaped(Self.sentence(command.summary)))
      for operand in command.operands { lines += Self.entry(operand.name, operand.help) }
      for group in command.groups {
        lines += [".PP", ".I \(Self.escaped(Self.sentence(group.title)))"]
        for option in group.options { lines += Self.entry(option.synopsis, option.help) }
      }
      for note in command.notes {
        lines += [".PP", ".I \(Self.escaped(Self.sentence(note.title)))", ".nf"]
        lines += note.lines.map(Self.escaped) + [".fi"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ name: String, _ help: String) -> [String] {
    [".TP", ".B \(escaped(name))", escaped(sentence(help))]
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  /// Text in which nothing is a command of the typesetter.
  static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}

extension CommandSpec {
  fileprivate var synopsisRest: String {
    String(usage.dropFirst("quire \(name)".count).drop { $0 == " " })
  }
}
